import { fieldsAsked } from './asked.ts'
import { verbOf } from './call.ts'
import type { Contract } from './contract.ts'
import type { Action } from './types.ts'

type Say = (path: (string | number)[], message: string) => void

/** Buttons whose dialog would be empty, or whose call nobody says. */
export function checkActions(contract: Contract, screen: object, say: Say): void {
  const { actions, toolbar } = screen as { actions?: Action[]; toolbar?: Action[] }
  for (const [key, list] of Object.entries({ actions, toolbar })) {
    for (const [i, action] of (list ?? []).entries()) {
      const problem = action.dialog && askProblem(contract, action)
      if (problem) say([key, i, 'dialog'], problem)
    }
  }
}

function askProblem(contract: Contract, { call, label }: Action): string | undefined {
  if (!call) return `'${label}' asks, but has no call to ask for`
  const endpoint = contract.endpoints[call]
  const name = verbOf(endpoint)?.entity ?? endpoint.reply
  const entity = name === undefined ? undefined : contract.entities[name]
  if (!entity) return `'${label}' asks, but ${call} does not say for which entity`
  if (fieldsAsked(entity, endpoint).length > 0) return undefined
  return `'${label}' has nothing to ask for: ${call} takes no field of ${name}`
}
