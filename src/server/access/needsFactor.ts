import type { Contract } from '../../contract/contract.ts'
import type { Settings } from '../core/settings.ts'

export interface FactorDeps {
  contract: Pick<Contract, 'roles'>
  settings: Settings
}

/** Ids of the roles that the setting SECOND_FACTOR_ROLES names. */
export function rolesWithFactor({ contract, settings }: FactorDeps): number[] {
  const names = settings.SECOND_FACTOR_ROLES.split(',').map((name) => name.trim())
  return contract.roles.roles.filter(({ name }) => names.includes(name)).map(({ id }) => id)
}

/** True if the setting SECOND_FACTOR_ROLES has one of these roles. */
export function needsFactor(deps: FactorDeps, groups: number[]): boolean {
  return rolesWithFactor(deps).some((role) => groups.includes(role))
}
