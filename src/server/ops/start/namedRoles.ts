import type { Contract } from '../../../contract/contract.ts'
import { suggest } from '../../../contract/suggest.ts'
import { StartProblem } from '../../core/startProblem.ts'

/** The names of roles in a setting, separated by commas; throws a StartProblem for an unknown one. */
export function namedRoles({ roles }: Contract, setting: string, text: string): string[] {
  const names = text
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '')
  const known = roles.roles.map(({ name }) => name)
  const unknown = names.find((name) => !known.includes(name))
  if (unknown !== undefined)
    throw new StartProblem(`${setting}: there is no role '${unknown}'${suggest(unknown, known)}`)
  return names
}
