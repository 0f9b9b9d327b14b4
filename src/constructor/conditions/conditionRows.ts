import { FIELD_TYPES } from '../../contract/fieldTypes.ts'
import type { Field } from '../../contract/generated.ts'
import { beyondOf } from '../../contract/meta/describeCondition.ts'
import type { Op } from '../../contract/meta/describeOperator.ts'
import { isOtherPath, type Operand, type Test, type When } from '../../contract/when.ts'

/** The test that each way to compare stands for. */
export const TEST_OF: Record<Op, (values: Operand[]) => Test> = {
  is: ([value]) => value ?? '',
  oneOf: (values) => values,
  not: (values) => ({ not: values.length === 1 ? values[0] : values }),
  set: () => ({ set: true }),
  unset: () => ({ set: false }),
  min: ([value]) => ({ min: asBound(value) }),
  max: ([value]) => ({ max: asBound(value) }),
  above: ([value]) => ({ min: asBound(value), not: asBound(value) }),
  below: ([value]) => ({ max: asBound(value), not: asBound(value) }),
}

const OPS = {
  choice: ['is', 'oneOf', 'not', 'set', 'unset'],
  amount: ['is', 'not', 'min', 'max', 'above', 'below', 'set', 'unset'],
  text: ['is', 'not', 'set', 'unset'],
} satisfies Record<string, Op[]>

/** The ways in which a field's value can be compared; the first is the one to begin with. */
export function opsOf({ type }: Field): Op[] {
  const { compares } = FIELD_TYPES[type]
  return compares ? OPS[compares] : ['set', 'unset']
}

/** The ways in which a field can be compared with another one of its kind. */
export function opsWithOther(field: Field): Op[] {
  return opsOf(field).filter((op) => op !== 'oneOf' && op !== 'set' && op !== 'unset')
}

interface ReadTest {
  op: Op
  values: Operand[]
}

/** How a test compares and with what; undefined where it does so in several ways at once, or with several paths. */
export function readTest(test: Test): ReadTest | undefined {
  const read = partsOf(test)
  return read && (read.values.length < 2 || !read.values.some(isOtherPath)) ? read : undefined
}

function partsOf(test: Test): ReadTest | undefined {
  if (Array.isArray(test)) return { op: 'oneOf', values: test }
  if (test === null) return { op: 'unset', values: [] }
  if (typeof test !== 'object' || isOtherPath(test)) return { op: 'is', values: test === '' ? [] : [test] }
  const beyond = beyondOf(test)
  if (beyond) return { op: beyond.op, values: [beyond.bound] }
  const keys = Object.keys(test)
  if (keys.length !== 1) return undefined
  if (test.set !== undefined) return { op: test.set ? 'set' : 'unset', values: [] }
  if (test.not !== undefined) return { op: 'not', values: [test.not].flat() }
  return test.min !== undefined ? { op: 'min', values: [test.min] } : { op: 'max', values: [test.max!] }
}

/** A condition with one of its tests replaced in its place; without `next` the test goes, with the last all. */
export function withTest(when: When, path: string, next?: { path: string; test: Test }): When | undefined {
  return replaced(when, path, next ? { [next.path]: next.test } : {})
}

/** A condition with a new test whose field is still to be chosen. */
export function withNewTest(when: When = {}): When {
  return { ...when, '': '' }
}

/**
 * A condition with other alternatives. Those without a test go; a single one that is left when some went stands among
 * the other tests, unless both name a field.
 */
export function withAlternatives(when: When, list: (When | undefined)[]): When | undefined {
  const left = list.filter((one) => one !== undefined)
  if (left.length === 0) return replaced(when, 'any', {})
  const isAlone = left.length === 1 && left.length < (when.any?.length ?? 0)
  const isFree = Object.keys(left[0]).every((path) => path === 'any' || !Object.hasOwn(when, path))
  return replaced(when, 'any', isAlone && isFree ? left[0] : { any: left })
}

/** A condition with a group of two alternatives that are still to be chosen. */
export function withNewGroup(when: When): When {
  return { ...when, any: [withNewTest(), withNewTest()] }
}

/** A condition in which one of its tests is the first of two alternatives. */
export function withTestInGroup(when: When, path: string): When {
  return replaced(when, path, { any: [{ [path]: when[path] }, withNewTest()] })!
}

/** Whether the editor has a row for every test of a condition. */
export function isEditable(when: When, reach: Map<string, Field>): boolean {
  return Object.entries(when).every(
    ([path, test]) =>
      path !== 'any' && readTest(test as Test) !== undefined && (path === '' || reach.has(path)),
  )
}

/** A condition with other tests in the place of one; undefined without any left. */
function replaced(when: When, path: string, by: When): When | undefined {
  const tests = Object.entries(when).flatMap(([key, test]) =>
    key === path ? Object.entries(by) : [[key, test] as const],
  )
  return tests.length > 0 ? Object.fromEntries(tests) : undefined
}

function asBound(value: Operand | undefined): number | string | { path: string } {
  return typeof value === 'boolean' || value === null || value === undefined ? '' : value
}
