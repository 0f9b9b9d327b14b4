import { allows } from '../../contract/access.ts'
import type { Contract } from '../../contract/contract.ts'

/** True if these roles may open an address; also if it belongs to no screen. */
export function canOpen({ roles, screens }: Contract, groups: number[], to: string | undefined): boolean {
  const screen = Object.values(screens).find(({ route }) => route === to)
  return !screen || allows(roles, screen.roles, groups)
}
