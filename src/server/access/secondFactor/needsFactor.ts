import type { Call } from '../../core/call.ts'

/** True if the setting SECOND_FACTOR_ROLES has one of these roles. */
export function needsFactor(
  { contract, settings }: Pick<Call, 'contract' | 'settings'>,
  groups: number[],
): boolean {
  const names = settings.SECOND_FACTOR_ROLES.split(',').map((name) => name.trim())
  return contract.roles.roles.some(({ id, name }) => names.includes(name) && groups.includes(id))
}
