import { FIELD_TYPES } from '../../contract/fieldTypes.ts'
import type { Field } from '../../contract/generated.ts'
import { beyondOf } from '../../contract/meta/describeCondition.ts'
import type { Op } from '../../contract/meta/describeOperator.ts'
import { isOtherPath, type Operand, type Test, type When } from '../../contract/when.ts'

/** Builds the test of each operator from its values. */
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

/** Operators for the value of a field; the first is the initial one. */
export function opsOf({ type }: Field): Op[] {
  const { compares } = FIELD_TYPES[type]
  return compares ? OPS[compares] : ['set', 'unset']
}

/** Operators that compare a field with another one of its kind. */
export function opsWithOther(field: Field): Op[] {
  return opsOf(field).filter((op) => op !== 'oneOf' && op !== 'set' && op !== 'unset')
}

interface ReadTest {
  op: Op
  values: Operand[]
}

/** Operator and values of a test; undefined if it combines operators, or several values with paths among them. */
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

/** Replaces a test of a condition in its place; without `next` removes it. Undefined once no test is left. */
export function withTest(when: When, path: string, next?: { path: string; test: Test }): When | undefined {
  return replaced(when, path, next ? { [next.path]: next.test } : {})
}

/** Adds a test to a condition, whose field is still to be chosen. */
export function withNewTest(when: When = {}): When {
  return { ...when, '': '' }
}

/**
 * Replaces the alternatives of a condition without those that are undefined. A single one that remains after a removal
 * is merged into the other tests, unless both test the same field.
 */
export function withAlternatives(when: When, list: (When | undefined)[]): When | undefined {
  const left = list.filter((one) => one !== undefined)
  if (left.length === 0) return replaced(when, 'any', {})
  const isAlone = left.length === 1 && left.length < (when.any?.length ?? 0)
  const isFree = Object.keys(left[0]).every((path) => path === 'any' || !Object.hasOwn(when, path))
  return replaced(when, 'any', isAlone && isFree ? left[0] : { any: left })
}

/** Adds a group of two alternatives that are still to be chosen. */
export function withNewGroup(when: When): When {
  return { ...when, any: [withNewTest(), withNewTest()] }
}

/** Turns a test of a condition into the first of two alternatives. */
export function withTestInGroup(when: When, path: string): When {
  return replaced(when, path, { any: [{ [path]: when[path] }, withNewTest()] })!
}

/** True if the editor has a row for every test of a condition. */
export function isEditable(when: When, reach: Map<string, Field>): boolean {
  return Object.entries(when).every(
    ([path, test]) =>
      path !== 'any' && readTest(test as Test) !== undefined && (path === '' || reach.has(path)),
  )
}

/** Replaces a test of a condition by others in its place; undefined once none is left. */
function replaced(when: When, path: string, by: When): When | undefined {
  const tests = Object.entries(when).flatMap(([key, test]) =>
    key === path ? Object.entries(by) : [[key, test] as const],
  )
  return tests.length > 0 ? Object.fromEntries(tests) : undefined
}

function asBound(value: Operand | undefined): number | string | { path: string } {
  return typeof value === 'boolean' || value === null || value === undefined ? '' : value
}
