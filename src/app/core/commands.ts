import { allows } from '../../contract/access.ts'
import type { Contract } from '../../contract/contract.ts'
import { canOpen } from '../../engine/core/canOpen.ts'
import { openSidePanel } from '../../engine/core/sidePanel.ts'
import { dashboardEntries, sideEntries } from './menus.ts'

/** A command that is available on every page: goes to a screen, or opens one beside the page. */
export interface Command {
  label: string
  /** Its shortcut: keys separated by a space. */
  keys?: string
  to?: string
  sidePanel?: string
  does?: () => void
}

/** The commands that these roles allow, without duplicates: screens (shortcuts first), then screens beside the page. */
export function commandsOf(contract: Contract, groups: number[]): Command[] {
  const { menu, roles, screens } = contract
  const titleAt = (to: string) => Object.values(screens).find(({ route }) => route === to)?.title
  const withKeys = menu.shortcuts
    .filter(({ to, sidePanel }) =>
      sidePanel ? allows(roles, screens[sidePanel].roles, groups) : canOpen(contract, groups, to),
    )
    .map((one) => ({
      ...one,
      label: one.label ?? screens[one.sidePanel ?? '']?.title ?? titleAt(one.to ?? '') ?? '',
    }))
  const ofMenus: Command[] = [
    ...sideEntries(contract, groups)
      .filter(({ to }) => to)
      .map(({ label, to, sidePanel }) => (sidePanel ? { label, sidePanel } : { label, to })),
    ...dashboardEntries(contract, groups).map(({ label, to }) => ({ label, to })),
  ]
  const all: Command[] = [...withKeys, ...ofMenus]
  return all
    .filter((one, i) => all.findIndex((other) => isSame(other, one)) === i)
    .sort((a, b) => Number(a.sidePanel !== undefined) - Number(b.sidePanel !== undefined))
}

/** True if both lead to the same screen; one beside the page is offered under each of its names. */
function isSame(one: Command, other: Command): boolean {
  return (
    one.to === other.to && one.sidePanel === other.sidePanel && (!one.sidePanel || one.label === other.label)
  )
}

/** Runs a command. A screen beside the page opens for the record of the focused row, else for that of the page. */
export function run({ to, sidePanel, does }: Command, navigate: (to: string) => void): void {
  does?.()
  if (to) navigate(to)
  if (!sidePanel) return
  const row = document.activeElement?.closest(ROW)
  const buttons = [...document.querySelectorAll<HTMLElement>(`main [data-side-panel="${sidePanel}"]`)]
  const button = buttons.find((one) => row?.contains(one)) ?? buttons.find((one) => !one.closest(ROW))
  if (button) button.click()
  else openSidePanel(sidePanel)
}

const ROW = 'tr, li, [role="row"]'
