import type { Contract } from '../../contract/contract.ts'
import type { FormTest } from '../../contract/generated.ts'
import { locate, type Problem } from '../../contract/locate.ts'
import { contextOfService } from '../../contract/meta/formTests.ts'
import type { Metas } from '../../contract/meta/metaTypes.ts'
import { runFormTests } from '../../contract/meta/runFormTest.ts'
import { ajvValidate } from '../validate/ajvValidate.ts'
import { validateMetaShape, validateTestsShape } from '../validate/metaShape.ts'

/** A case type that a new database has. */
interface ShippedType extends Metas {
  service: number
  tests: FormTest[]
}

/** What is wrong with the case types of a file: the shape of their forms and tests, and each test that fails. */
export function checkCaseTypes(contract: Contract, file: string, text: string): Problem[] {
  const types = JSON.parse(text) as ShippedType[]
  return types.flatMap(({ service, tests, case_meta, issue_meta }, i) => {
    const metas = { case_meta, issue_meta }
    const at = (path: (string | number)[]) => ({ file, ...locate(text, [i, ...path]) })
    const shape = { ...validateMetaShape(contract, metas), ...validateTestsShape(contract, tests) }
    const wrong = Object.entries(shape).map(([path, [message]]) => ({ ...at(keysOf(path)), message }))
    if (wrong.length > 0) return wrong
    const deps = { validateSchema: ajvValidate, conditionContext: contextOfService(service) }
    return [...runFormTests(metas, tests, deps)].flatMap(({ index, differences }) =>
      differences.map(({ message }) => ({ ...at(['tests', index]), message: `this test fails: ${message}` })),
    )
  })
}

function keysOf(path: string): (string | number)[] {
  return path.split('.').map((key) => (/^\d+$/.test(key) ? Number(key) : key))
}
