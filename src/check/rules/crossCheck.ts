import type { Contract } from '../../contract/contract.ts'
import type { Problem } from '../../contract/locate.ts'
import type { Source } from '../files/read.ts'
import { reportOf } from '../files/report.ts'
import { checkEndpoint } from './endpoints.ts'
import { checkEntity, checkProperties } from './entities.ts'
import { checkField } from './fields.ts'
import { checkOptions } from './limits.ts'
import { checkMenu, checkRoles } from './menu.ts'
import { lookupPathProblem } from './sameAddress.ts'
import { checkScreen } from './screens.ts'

interface Sources {
  entities: Source[]
  endpoints: Source[]
  screens: Source[]
  bodies?: Source
  lookups?: Source
  menu?: Source
  query?: Source
  roles?: Source
}

/** Reports what meta-schemas cannot validate: names that are defined in another file or in the code. */
export function crossCheck(contract: Contract, sources: Sources, handlers: string[]): Problem[] {
  const problems: Problem[] = []
  for (const source of sources.entities) checkEntity(contract, source.name, reportOf(source, problems))
  for (const source of sources.endpoints) {
    const report = reportOf(source, problems)
    const keys = Object.keys(source.data).filter((key) => key !== '$schema')
    for (const key of keys) checkEndpoint(contract, key, source.name, handlers, report)
  }
  // Screens are checked against the calls and entities, so those must be valid first.
  if (problems.length > 0) return problems
  for (const source of sources.screens) checkScreen(contract, source.name, reportOf(source, problems))
  const { bodies, lookups, menu, query, roles } = sources
  if (bodies) {
    const report = reportOf(bodies, problems)
    for (const [name, { properties, required = [] }] of Object.entries(contract.bodies)) {
      const body = { name, fields: properties }
      checkProperties(contract, body, [name, 'properties'], report)
      for (const [i, field] of required.entries()) checkField(body, field, [name, 'required', i], report)
    }
  }
  if (query) {
    const report = reportOf(query, problems)
    // The groups of figures are derived: they have no place in the file.
    for (const [group, parameters] of Object.entries(contract.query).filter(([name]) => name in query.data))
      for (const [name, parameter] of Object.entries(parameters))
        checkOptions(name, parameter, [group, name], report)
  }
  if (lookups) {
    const report = reportOf(lookups, problems)
    for (const [name, { item = {}, by = [], needs, parent }] of Object.entries(contract.lookups)) {
      checkProperties(contract, { name, fields: item }, [name, 'item'], report)
      const taken = lookupPathProblem(contract, name)
      if (taken) report([name, 'path'], taken)
      if (needs && !(by.includes(needs) && needs in item))
        report([name, 'needs'], `'${needs}' must be one of 'by' and a key of 'item'`)
      if (parent && contract.lookups[needs ?? '']?.item?.[parent]?.lookup !== needs)
        report(
          [name, 'parent'],
          `'${parent}' must be a key of 'item' of the lookup '${needs}' that has an item of that lookup`,
        )
      if (parent && !(by.includes(name) && item[name]?.lookup === name))
        report(
          [name, 'parent'],
          `'${name}' must be one of 'by', and a key of 'item' that has an item of this lookup`,
        )
    }
  }
  if (menu) checkMenu(contract, reportOf(menu, problems))
  if (roles) checkRoles(contract, reportOf(roles, problems))
  return problems
}
