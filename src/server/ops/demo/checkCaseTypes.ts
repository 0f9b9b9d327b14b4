import { checkAutomations } from '../../../contract/automations/checkAutomations.ts'
import { contextOfService } from '../../../contract/caseType/formTestContext.ts'
import { runFormTests } from '../../../contract/caseType/runFormTest.ts'
import type { Contract } from '../../../contract/contract.ts'
import { checkDeadlines } from '../../../contract/deadlines/checkDeadlines.ts'
import type { Automation, Deadline, FormTest } from '../../../contract/generated.ts'
import { duplicateKeys, locate, type Problem } from '../../../contract/locate.ts'
import { checkMeta } from '../../../contract/meta/checkMeta.ts'
import type { Metas } from '../../../contract/meta/metaTypes.ts'
import { ajvValidate } from '../../core/ajvValidate.ts'
import {
  validateAutomationsShape,
  validateDeadlinesShape,
  validateMetaShape,
  validateTestsShape,
} from '../../records/validate/metaShape.ts'
import { readData } from './data.ts'
import { shippedCalendars } from './shippedCalendars.ts'

/** A case type of a new database. */
interface ShippedType extends Metas {
  value: number
  code: string
  label: string
  service: number
  tests: FormTest[]
  automations: Automation[]
  deadlines: Deadline[]
}

/**
 * Problems in the case types of a file: the shape of their forms and tests, what a publication refuses, failing tests.
 */
export function checkCaseTypes(contract: Contract, file: string, text: string): Problem[] {
  const duplicates = duplicateKeys({ file, text })
  if (duplicates.length > 0) return duplicates
  const types = JSON.parse(text) as ShippedType[]
  const lists = shippedLists()
  return types.flatMap(({ service, tests, automations, deadlines, case_meta, issue_meta }, i) => {
    const metas = { case_meta, issue_meta }
    const at = (path: (string | number)[]) => ({ file, ...locate(text, [i, ...path]) })
    const unknown = unknownNames(types, i, lists, contract)
    if (unknown.length > 0) return unknown.map(({ path, message }) => ({ ...at(path), message }))
    const shape = {
      ...validateMetaShape(contract, metas),
      ...validateTestsShape(contract, tests),
      ...validateAutomationsShape(contract, automations),
      ...validateDeadlinesShape(contract, deadlines),
    }
    const wrong = Object.entries(shape).map(([path, [message]]) => ({ ...at(keysOf(path)), message }))
    if (wrong.length > 0) return wrong
    const forms = checkMeta(metas, { lookups: contract.lookups, entities: contract.entities })
    if (forms.length > 0) return forms.map(({ meta, path, message }) => ({ ...at([meta, ...path]), message }))
    const names = {
      entities: contract.entities,
      lookups: contract.lookups,
      roles: roleNames(contract),
      groups: lists.staff_groups.map(({ code }) => code),
      deadlines,
    }
    const refused = checkAutomations(automations, metas, names)
    if (refused.length > 0)
      return refused.map(({ path, message }) => ({ ...at(['automations', ...path]), message }))
    const undue = checkDeadlines(deadlines, metas, {
      entities: contract.entities,
      actionTypes: lists.actionTypes,
    })
    if (undue.length > 0)
      return undue.map(({ path, message }) => ({ ...at(['deadlines', ...path]), message }))
    const deps = {
      validateSchema: ajvValidate,
      conditionContext: contextOfService(service),
      automations,
      deadlines,
      calendars: shippedCalendars(),
    }
    return [...runFormTests(metas, tests, deps)].flatMap(({ index, differences }) =>
      differences.map(({ message }) => ({ ...at(['tests', index]), message: `this test fails: ${message}` })),
    )
  })
}

interface ShippedLists {
  services: { value: number; label: string }[]
  staff_groups: { code: string }[]
  actionTypes: ReadonlySet<number>
}

/** The lists of a new database that its case types refer to. */
function shippedLists(): ShippedLists {
  const lists = readData<Omit<ShippedLists, 'actionTypes'> & { action_type: { value: number }[] }>(
    'lookups.json',
  )
  return { ...lists, actionTypes: new Set(lists.action_type.map(({ value }) => value)) }
}

/** Missing or repeated keys of a case type, and ids in its tests that no list or role has. */
function unknownNames(
  types: ShippedType[],
  i: number,
  { services, actionTypes }: ShippedLists,
  { roles }: Contract,
): { path: (string | number)[]; message: string }[] {
  const type = types[i]
  const found: { path: (string | number)[]; message: string }[] = []
  for (const key of ['value', 'code', 'label'] as const) {
    const value = type[key]
    if (typeof value !== (key === 'value' ? 'number' : 'string'))
      found.push({ path: [], message: `lacks '${key}'` })
    else if (types.findIndex((other) => other[key] === value) < i)
      found.push({ path: [key], message: `Another case type has '${value}' as its ${key}` })
  }
  if (!services.some(({ value }) => value === type.service))
    found.push({ path: ['service'], message: `There is no service with the id ${type.service}` })
  const roleIds = roles.roles.map(({ id }) => id)
  // The shape of the tests is checked afterwards.
  for (const [n, test] of (Array.isArray(type.tests) ? type.tests : []).entries()) {
    for (const [r, role] of (test.as?.roles ?? []).entries())
      if (!roleIds.includes(role))
        found.push({ path: ['tests', n, 'as', 'roles', r], message: `There is no role with the id ${role}` })
    for (const [a, action] of (test.with?.actions ?? []).entries())
      if (!actionTypes.has(action.type))
        found.push({
          path: ['tests', n, 'with', 'actions', a, 'type'],
          message: `There is no type of action with the id ${action.type}`,
        })
  }
  return found
}

function roleNames({ roles }: Contract): string[] {
  return roles.roles.map(({ name }) => name)
}

function keysOf(path: string): (string | number)[] {
  return path.split('.').map((key) => (/^\d+$/.test(key) ? Number(key) : key))
}
