import { allows } from '../../contract/access.ts'
import { isWrite } from '../../contract/call.ts'
import type { Contract } from '../../contract/contract.ts'
import type { Action } from '../../contract/generated.ts'
import { ROLE } from '../../contract/roles.ts'
import { holds, type Values } from '../../contract/when.ts'

/** What the offer of an action depends on of a person. */
interface Person {
  id: number
  groups: number[]
  /** True if commissioners may read the records of their contracts, of which they change their own only. */
  reads_records?: boolean
}

/** True if a person's roles and the state of a record allow an action: only then is it rendered. */
export function isOffered(
  { roles, endpoints }: Pick<Contract, 'roles' | 'endpoints'>,
  action: Action,
  { record, user }: { record?: Values; user: Person },
): boolean {
  const calls = [action.call, action.explains, action.upload, action.download].filter(
    (call) => call !== undefined,
  )
  return (
    allows(roles, action.roles, user.groups) &&
    calls.every((call) => allows(roles, endpoints[call].roles, user.groups)) &&
    !(isOthers(record, user) && calls.some((call) => isWrite(endpoints[call]))) &&
    holds(action.when, { record, user: user as unknown as Values })
  )
}

/** True if somebody reads a record that others made, as a commissioner who may change only their own. */
function isOthers(record: Values | undefined, { id, groups, reads_records }: Person): boolean {
  if (!reads_records || groups.some((group) => group !== ROLE.commissionerAdvocate)) return false
  return record?.created_by !== undefined && record.created_by !== id && record.assignee !== id
}
