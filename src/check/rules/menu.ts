import { partsOf } from '../../contract/call.ts'
import type { Contract } from '../../contract/contract.ts'
import { suggest } from '../../contract/suggest.ts'
import type { Report } from '../files/report.ts'
import { addressProblem } from './addresses.ts'
import { isSidePanelForm } from './isSidePanelForm.ts'

/** Reports menu entries that lead nowhere. */
export function checkMenu(contract: Contract, report: Report): void {
  for (const [i, name] of contract.menu.dashboard.entries()) {
    const [part] = partsOf(contract.screens[name].route)
    if (part)
      report(['dashboard', i], `'${name}' has '{${part}}' in its address, for which a menu has no value`)
  }
  for (const [i, { to, sidePanel }] of contract.menu.side.entries()) {
    const problem = to !== undefined && addressProblem(contract, to.split('?')[0])
    if (problem) report(['side', i, 'to'], problem)
    if (sidePanel !== undefined) checkSidePanel(contract, sidePanel, ['side', i, 'sidePanel'], report)
  }
  checkShortcuts(contract, report)
}

/** Reports shortcuts that lead nowhere, or whose keys another one has or begins with. */
function checkShortcuts(contract: Contract, report: Report): void {
  const { shortcuts } = contract.menu
  for (const [i, { keys, to, sidePanel }] of shortcuts.entries()) {
    const at = ['shortcuts', i]
    if ((to === undefined) === (sidePanel === undefined))
      report(at, `'${keys}' needs either 'to' or 'sidePanel'`)
    const problem = to !== undefined && addressProblem(contract, to.split('?')[0])
    if (problem) report([...at, 'to'], problem)
    if (sidePanel !== undefined) checkSidePanel(contract, sidePanel, [...at, 'sidePanel'], report)
    const other = shortcuts.find(
      (one, j) => j !== i && (one.keys === keys || one.keys.startsWith(`${keys} `)),
    )
    if (other || RESERVED.includes(keys[0])) report([...at, 'keys'], `'${keys}' is taken already`)
  }
}

function checkSidePanel(
  { screens }: Contract,
  sidePanel: string,
  at: (string | number)[],
  report: Report,
): void {
  if (!isSidePanelForm(screens[sidePanel]))
    report(at, `'${sidePanel}' is not a form of a new record without parts in its address`)
}

/** Keys that lists use. */
const RESERVED = ['j', 'k', 'x']

/** Reports roles without a valid start page, and groups with unknown roles. */
export function checkRoles(contract: Contract, report: Report): void {
  const { roles, groups } = contract.roles
  const known = roles.map(({ name }) => name)
  for (const [i, { lands }] of roles.entries()) {
    const problem = addressProblem(contract, lands)
    if (problem) report(['roles', i, 'lands'], problem)
  }
  for (const [group, names] of Object.entries(groups)) {
    for (const [i, name] of names.entries()) {
      if (!known.includes(name)) report(['groups', group, i], `no role '${name}'${suggest(name, known)}`)
    }
  }
}
