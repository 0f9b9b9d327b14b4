import { FIELD_TYPES, holdsRows } from '../../contract/fieldTypes.ts'
import type { Field } from '../../contract/generated.ts'
import { beyondOf } from '../../contract/meta/describeCondition.ts'
import type { Op } from '../../contract/meta/describeOperator.ts'
import {
  isOtherPath,
  isRowsTest,
  type Operand,
  type RowsTest,
  type Test,
  type When,
} from '../../contract/when.ts'

/** Builds the test of each operator from its values; one of rows from its condition too. */
export const TEST_OF: Record<Op, (values: Operand[], ofRow?: When) => Test> = {
  is: ([value]) => value ?? '',
  oneOf: (values) => values,
  not: (values) => ({ not: values.length === 1 ? values[0] : values }),
  set: () => ({ set: true }),
  unset: () => ({ set: false }),
  min: ([value]) => ({ min: asBound(value) }),
  max: ([value]) => ({ max: asBound(value) }),
  above: ([value]) => ({ min: asBound(value), not: asBound(value) }),
  below: ([value]) => ({ max: asBound(value), not: asBound(value) }),
  anyRow: (_, ofRow = withNewTest()) => ({ any_row: ofRow }),
  everyRow: (_, ofRow = withNewTest()) => ({ every_row: ofRow }),
  fewest: ([value], ofRow = withNewTest()) => ({ count_rows: ofRow, min: asBound(value) }),
  most: ([value], ofRow = withNewTest()) => ({ count_rows: ofRow, max: asBound(value) }),
}

const OPS = {
  choice: ['is', 'oneOf', 'not', 'set', 'unset'],
  amount: ['is', 'not', 'min', 'max', 'above', 'below', 'set', 'unset'],
  text: ['is', 'not', 'set', 'unset'],
} satisfies Record<string, Op[]>

/** Operators for the value of a field; the first is the initial one. */
export function opsOf({ type, fields }: Field): Op[] {
  if (holdsRows({ type }) && fields?.length) return [...ROW_OPS, 'set', 'unset']
  const { compares } = FIELD_TYPES[type]
  return compares ? OPS[compares] : ['set', 'unset']
}

/** Operators with a condition on the columns of a row; those of COUNT_OPS also have a number of rows. */
const ROW_OPS: Op[] = ['anyRow', 'everyRow', 'fewest', 'most']
export const COUNT_OPS: Op[] = ['fewest', 'most']

/** Operators that compare a field with another one of its kind. */
export function opsWithOther(field: Field): Op[] {
  if (holdsRows(field)) return []
  return opsOf(field).filter((op) => op !== 'oneOf' && op !== 'set' && op !== 'unset')
}

interface ReadTest {
  op: Op
  values: Operand[]
  ofRow?: When
}

/** Operator and values of a test; undefined if it combines operators, or several values with paths among them. */
export function readTest(test: Test): ReadTest | undefined {
  const read = partsOf(test)
  return read && (read.values.length < 2 || !read.values.some(isOtherPath)) ? read : undefined
}

function partsOf(test: Test): ReadTest | undefined {
  if (Array.isArray(test)) return { op: 'oneOf', values: test }
  if (test === null) return { op: 'unset', values: [] }
  if (isRowsTest(test)) return rowsPartsOf(test as RowsTest & { min?: Operand; max?: Operand })
  if (typeof test !== 'object' || isOtherPath(test)) return { op: 'is', values: test === '' ? [] : [test] }
  const beyond = beyondOf(test)
  if (beyond) return { op: beyond.op, values: [beyond.bound] }
  const keys = Object.keys(test)
  if (keys.length !== 1) return undefined
  if (test.set !== undefined) return { op: test.set ? 'set' : 'unset', values: [] }
  if (test.not !== undefined) return { op: 'not', values: [test.not].flat() }
  return test.min !== undefined ? { op: 'min', values: [test.min] } : { op: 'max', values: [test.max!] }
}

function rowsPartsOf({
  any_row,
  every_row,
  count_rows,
  ...count
}: RowsTest & { min?: Operand; max?: Operand }): ReadTest | undefined {
  const conditions = [any_row, every_row, count_rows].filter((one) => one !== undefined)
  const limits = Object.keys(count)
  if (conditions.length !== 1 || limits.length > 1) return undefined
  const [ofRow] = conditions
  if (!count_rows)
    return limits.length > 0 ? undefined : { op: any_row ? 'anyRow' : 'everyRow', values: [], ofRow }
  const { min, max } = count
  if (min !== undefined) return { op: 'fewest', values: min === '' ? [] : [min], ofRow }
  return max === undefined ? undefined : { op: 'most', values: max === '' ? [] : [max], ofRow }
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
