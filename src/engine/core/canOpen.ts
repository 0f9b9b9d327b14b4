import { allows } from '../../contract/access.ts'
import type { Contract } from '../../contract/contract.ts'

/** True if these roles may open an address; also if it belongs to no screen. */
export function canOpen({ roles, screens }: Contract, groups: number[], to: string | undefined): boolean {
  const [address] = (to ?? '').split('?')
  const screen = Object.values(screens).find(({ route }) => route === address)
  return !screen || allows(roles, screen.roles, groups)
}
