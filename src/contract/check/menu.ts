import { partsOf } from '../call.ts'
import type { Contract } from '../contract.ts'
import { suggest } from '../suggest.ts'
import { addressProblem } from './addresses.ts'
import type { Report } from './report.ts'

/** Reports entries of the menus that lead nowhere. */
export function checkMenu(contract: Contract, report: Report): void {
  for (const [i, name] of contract.menu.dashboard.entries()) {
    const [part] = partsOf(contract.screens[name].route)
    if (part) report(['dashboard', i], `'${name}' needs to know which '{${part}}': a menu does not`)
  }
  for (const [i, { to }] of contract.menu.side.entries()) {
    const problem = to !== undefined && addressProblem(contract, to)
    if (problem) report(['side', i, 'to'], problem)
  }
}

/** Reports roles that land nowhere, and groups of roles that do not exist. */
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
