import type { Contract } from '../../../contract/contract.ts'
import { suggest } from '../../../contract/suggest.ts'
import type { Settings } from '../../core/settings.ts'
import { StartProblem } from '../../core/startProblem.ts'

/**
 * The contract with its purges restricted to the roles of PURGE_ROLES, for server and browser; throws a StartProblem
 * for an unknown role.
 */
export function withPurgeRoles(contract: Contract, { PURGE_ROLES }: Pick<Settings, 'PURGE_ROLES'>): Contract {
  const roles = PURGE_ROLES.split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '')
  if (roles.length === 0) return contract
  const known = contract.roles.roles.map(({ name }) => name)
  const unknown = roles.find((name) => !known.includes(name))
  if (unknown !== undefined)
    throw new StartProblem(`PURGE_ROLES: there is no role '${unknown}'${suggest(unknown, known)}`)
  const endpoints = Object.entries(contract.endpoints).map(([name, endpoint]) => [
    name,
    endpoint.does.endsWith('.purge') ? { ...endpoint, roles } : endpoint,
  ])
  return { ...contract, endpoints: Object.fromEntries(endpoints) }
}
