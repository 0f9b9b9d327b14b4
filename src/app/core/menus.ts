import { allows } from '../../contract/access.ts'
import type { Contract } from '../../contract/contract.ts'
import type { Screen, SideEntry } from '../../contract/generated.ts'
import { canOpen } from '../../engine/core/canOpen.ts'

/** Entries of the side navigation that these roles allow. */
export function sideEntries(contract: Contract, groups: number[]): SideEntry[] {
  return contract.menu.side.filter(({ to }) => canOpen(contract, groups, to))
}

/** Entries of the dashboard's menu that these roles allow: the screen's name, label, address and explanation. */
export function dashboardEntries(
  { menu, roles, screens }: Contract,
  groups: number[],
): { name: string; label: string; to: string; about?: string }[] {
  return menu.dashboard
    .filter((name) => allows(roles, screens[name].roles, groups))
    .map((name) => {
      const { title: label, route: to, about } = screens[name] as Screen & { about?: string }
      return { name, label, to, about }
    })
}
