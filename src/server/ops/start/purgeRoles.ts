import type { Contract } from '../../../contract/contract.ts'
import type { Settings } from '../../core/settings.ts'
import { namedRoles } from './namedRoles.ts'

/**
 * The contract with its purges restricted to the roles of PURGE_ROLES, for server and browser; throws a StartProblem
 * for an unknown role.
 */
export function withPurgeRoles(contract: Contract, { PURGE_ROLES }: Pick<Settings, 'PURGE_ROLES'>): Contract {
  const roles = namedRoles(contract, 'PURGE_ROLES', PURGE_ROLES)
  if (roles.length === 0) return contract
  const endpoints = Object.entries(contract.endpoints).map(([name, endpoint]) => [
    name,
    endpoint.does.endsWith('.purge') ? { ...endpoint, roles } : endpoint,
  ])
  return { ...contract, endpoints: Object.fromEntries(endpoints) }
}
