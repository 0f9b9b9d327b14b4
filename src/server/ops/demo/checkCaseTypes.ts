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
import { shippedCalendars } from './shippedCalendars.ts'

/** A case type of a new database. */
interface ShippedType extends Metas {
  service: number
  tests: FormTest[]
  automations: Automation[]
  deadlines: Deadline[]
}

/** Problems in the case types of a file: the shape of their forms and tests, what a publication refuses, failing tests. */
export function checkCaseTypes(contract: Contract, file: string, text: string): Problem[] {
  const duplicates = duplicateKeys({ file, text })
  if (duplicates.length > 0) return duplicates
  const types = JSON.parse(text) as ShippedType[]
  return types.flatMap(({ service, tests, automations, deadlines, case_meta, issue_meta }, i) => {
    const metas = { case_meta, issue_meta }
    const at = (path: (string | number)[]) => ({ file, ...locate(text, [i, ...path]) })
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
      deadlines,
    }
    const refused = checkAutomations(automations, metas, names)
    if (refused.length > 0)
      return refused.map(({ path, message }) => ({ ...at(['automations', ...path]), message }))
    const undue = checkDeadlines(deadlines, metas, { entities: contract.entities })
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

/** The names that holds use for roles. */
function roleNames({ roles }: Contract): string[] {
  return roles.roles.map(({ name }) => name)
}

function keysOf(path: string): (string | number)[] {
  return path.split('.').map((key) => (/^\d+$/.test(key) ? Number(key) : key))
}
