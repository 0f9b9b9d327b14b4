import { allows } from '../../contract/access.ts'
import { isAddressOf, isWrite } from '../../contract/call.ts'
import type { Contract } from '../../contract/contract.ts'
import type { Action } from '../../contract/generated.ts'
import { holds, type Values } from '../../contract/when.ts'

/** What the offer of an action depends on. */
interface OfferContext {
  record?: Values
  user: { id: number; groups: number[] }
  /** False within the page of a record that the person only reads. */
  mayChange: boolean
}

/** True if a person's roles and the state of a record allow an action: only then is it rendered. */
export function isOffered(
  contract: Pick<Contract, 'roles' | 'endpoints' | 'screens'>,
  action: Action,
  { record, user, mayChange }: OfferContext,
): boolean {
  const { roles, endpoints } = contract
  return (
    allows(roles, action.roles, user.groups) &&
    callsOf(action).every((call) => allows(roles, endpoints[call].roles, user.groups)) &&
    ((mayChange && record?.may_change !== false) || !isChange(contract, action)) &&
    holds(action.when, { record, user })
  )
}

function callsOf({ call, explains, upload, download }: Action): string[] {
  return [call, explains, upload, download].filter((name) => name !== undefined)
}

/** True if an action changes something, or opens the form of a new record. */
function isChange({ endpoints, screens }: Pick<Contract, 'endpoints' | 'screens'>, action: Action): boolean {
  if (action.sidePanel || callsOf(action).some((call) => isWrite(endpoints[call]))) return true
  const address = action.to?.split('?')[0]
  return (
    address !== undefined &&
    Object.values(screens).some(
      (screen) =>
        (screen.kind === 'wizard' || (screen.kind === 'form' && !screen.read)) &&
        isAddressOf(screen.route, address),
    )
  )
}
