import { allows } from '../../contract/access.ts'
import type { Contract } from '../../contract/contract.ts'

/** Whether a person of these roles may open the page of an address; what no screen stands at is nobody's to refuse. */
export function canOpen({ roles, screens }: Contract, groups: number[], to: string | undefined): boolean {
  const screen = Object.values(screens).find(({ route }) => route === to)
  return !screen || allows(roles, screen.roles, groups)
}
