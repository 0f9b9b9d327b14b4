import { partsOf } from '../../contract/call.ts'
import type { Contract } from '../../contract/contract.ts'
import { suggest } from '../../contract/suggest.ts'
import type { Report } from '../files/report.ts'
import { addressProblem } from './addresses.ts'
import { isBesideForm } from './isBesideForm.ts'

/** Reports menu entries that lead nowhere. */
export function checkMenu(contract: Contract, report: Report): void {
  for (const [i, name] of contract.menu.dashboard.entries()) {
    const [part] = partsOf(contract.screens[name].route)
    if (part)
      report(['dashboard', i], `'${name}' has '{${part}}' in its address, for which a menu has no value`)
  }
  for (const [i, { to, beside }] of contract.menu.side.entries()) {
    const problem = to !== undefined && addressProblem(contract, to.split('?')[0])
    if (problem) report(['side', i, 'to'], problem)
    if (beside !== undefined) checkBeside(contract, beside, ['side', i, 'beside'], report)
  }
  checkShortcuts(contract, report)
}

/** Reports shortcuts that lead nowhere, or whose keys another one has or begins with. */
function checkShortcuts(contract: Contract, report: Report): void {
  const { shortcuts } = contract.menu
  for (const [i, { keys, to, beside }] of shortcuts.entries()) {
    const at = ['shortcuts', i]
    if ((to === undefined) === (beside === undefined)) report(at, `'${keys}' needs either 'to' or 'beside'`)
    const problem = to !== undefined && addressProblem(contract, to.split('?')[0])
    if (problem) report([...at, 'to'], problem)
    if (beside !== undefined) checkBeside(contract, beside, [...at, 'beside'], report)
    const other = shortcuts.find(
      (one, j) => j !== i && (one.keys === keys || one.keys.startsWith(`${keys} `)),
    )
    if (other || RESERVED.includes(keys[0])) report([...at, 'keys'], `'${keys}' is taken already`)
  }
}

function checkBeside({ screens }: Contract, beside: string, at: (string | number)[], report: Report): void {
  if (!isBesideForm(screens[beside]))
    report(at, `'${beside}' is not a form of a new record without parts in its address`)
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
