import { describeAnswer, type ItemLabel } from '../describeAnswer.ts'
import type { Field } from '../generated.ts'
import { isEqual } from '../isEqual.ts'
import { quoted } from '../quoted.ts'
import { sourceOfPath } from '../seen.ts'
import { isOtherPath, isRowsTest, type Operand, type RowsTest, type Test, type When } from '../when.ts'
import { describeOperator, type Op } from './describeOperator.ts'
import { outsideWords } from './outsideWords.ts'
import { reachInRows } from './places.ts'

/** One comparison of a condition; `field` is undefined if the path leads outside of the form or to a missing field. */
interface TestPart {
  path: string
  field: Field | undefined
  test: Test
  /** Finds the fields that it is compared with. */
  lookUp?: (path: string) => Field | undefined
}

/** A condition as a sentence: "'Urgent' is Yes and ('Ward' has a value or 'Setting' is Hospital)". */
export function describeCondition(when: When, reach: Map<string, Field>, itemLabel?: ItemLabel): string {
  const lookUp = (path: string) => reach.get(path) ?? reach.get(path.split('.')[0])
  return Object.entries(when)
    .map(([path, test]) =>
      path === 'any'
        ? alternatives(test as When[], reach, itemLabel)
        : isRowsTest(test as Test)
          ? describeRows(path, test as RowsTest, reach, itemLabel)
          : describeTest({ path, field: lookUp(path), test: test as Test, lookUp }, itemLabel),
    )
    .join(' and ')
}

/** A test of rows: "'Done' is No in at least 3 rows of 'Visits'". */
function describeRows(
  path: string,
  test: RowsTest & { min?: Operand; max?: Operand; not?: Operand | Operand[] },
  reach: Map<string, Field>,
  itemLabel?: ItemLabel,
): string {
  const { any_row, every_row, count_rows, ...count } = test
  const rows = describeSubject(path, reach.get(path))
  const inner = (when: When) => {
    const words = describeCondition(when, reachInRows(reach, path), itemLabel)
    return Object.keys(when).length > 1 ? `(${words})` : words
  }
  const numberOf = (value: Operand) =>
    isOtherPath(value) ? describeSubject(value.path, reach.get(value.path)) : String(value)
  return [
    any_row && `${inner(any_row)} in a row of ${rows}`,
    every_row && `${inner(every_row)} in every row of ${rows}`,
    count_rows && `${inner(count_rows)} in ${countWords(count, numberOf)} ${rowOrRows(count)} of ${rows}`,
  ]
    .filter(Boolean)
    .join(' and ')
}

/** Singular for a bound of 1. */
function rowOrRows({ min, max, not }: { min?: Operand; max?: Operand; not?: Operand | Operand[] }): string {
  const bounds = [min, max, not].filter((bound) => bound !== undefined)
  return bounds.length > 0 && bounds.every((bound) => bound === 1) ? 'row' : 'rows'
}

/** "at least 3", "2 to 5", "no". */
function countWords(
  { min, max, not }: { min?: Operand; max?: Operand; not?: Operand | Operand[] },
  numberOf: (value: Operand) => string,
): string {
  const beyond = beyondOf({ min, max, not } as Test)
  if (beyond) return `${beyond.op === 'above' ? 'more' : 'fewer'} than ${numberOf(beyond.bound)}`
  if (max === 0) return 'no'
  const words = [
    min !== undefined && isEqual(min, max) && numberOf(min),
    min !== undefined && !isEqual(min, max) && `at least ${numberOf(min)}`,
    max !== undefined && !isEqual(min, max) && `at most ${numberOf(max)}`,
    not !== undefined && not !== null && `not ${[not].flat().map(numberOf).join(' or ')}`,
  ].filter(Boolean)
  return words.join(' and ') || 'a number, still to be chosen, of'
}

function alternatives(list: When[], reach: Map<string, Field>, itemLabel?: ItemLabel): string {
  const words = list
    .map((one) => describeCondition(one, reach, itemLabel))
    // The comma separates alternatives that contain 'and'.
    .join(list.some((one) => Object.keys(one).length > 1) ? ', or ' : ' or ')
  return list.length > 1 ? `(${words})` : words
}

/** A comparison in words: "'Age' is at least 18". */
export function describeTest({ path, field, test, lookUp }: TestPart, itemLabel?: ItemLabel): string {
  if (path === '') return 'what is still to be chosen holds'
  if (isRowsTest(test))
    return describeRows(path, test as RowsTest, new Map(field ? [[path, field]] : []), itemLabel)
  const of = field?.name === path || !path.includes('.') ? field : undefined
  const wordsOf = (value: Operand) => {
    if (isOtherPath(value)) return value.path && describeSubject(value.path, lookUp?.(value.path))
    return value === '' ? '' : describeAnswer(of, value, itemLabel)
  }
  const words = (values: Operand | Operand[]) =>
    [values].flat().map(wordsOf).filter(Boolean).join(' or ') || 'a value that is still to be chosen'
  return `${describeSubject(path, field)} ${compared(test, (op) => describeOperator(op, of), words)}`
}

/** Describes the subject of a comparison: "'Ward'", "'phone' of 'Relative'" or "'is opened' of the record". */
export function describeSubject(path: string, field: Field | undefined): string {
  if (sourceOfPath(path)) return outsideWords(path, field)
  const [head, ...rest] = path.split('.')
  if (field?.name === path) return quoted(field.label, path)
  const part = quoted(rest.join(' ').replaceAll('_', ' '))
  if (field) return rest.length > 0 ? `${part} of ${quoted(field.label, head)}` : quoted(field.label, head)
  return rest.length > 0 ? `${part} of the ${head}` : quoted(path)
}

function compared(
  test: Test,
  verb: (op: Op) => string,
  words: (values: Operand | Operand[]) => string,
): string {
  if (test === null) return verb('unset')
  if (Array.isArray(test)) return `${verb(test.length > 1 ? 'oneOf' : 'is')} ${words(test)}`
  if (typeof test !== 'object' || isOtherPath(test)) return `${verb('is')} ${words(test)}`
  const { set, not, min, max } = test
  const beyond = beyondOf(test)
  if (beyond) return `${verb(beyond.op)} ${words(beyond.bound)}`
  return [
    set !== undefined && verb(set ? 'set' : 'unset'),
    not !== undefined && (not === null ? verb('set') : `${verb('not')} ${words(not)}`),
    min !== undefined && `${verb('min')} ${words(min)}`,
    max !== undefined && `${verb('max')} ${words(max)}`,
  ]
    .filter(Boolean)
    .join(' and ')
}

/** An exclusive bound, which is a `min` or `max` with a `not` of the same value; undefined for other tests. */
export function beyondOf(test: Test): { op: 'above' | 'below'; bound: Operand } | undefined {
  if (test === null || typeof test !== 'object' || Array.isArray(test) || isOtherPath(test)) return undefined
  const { not, min, max, set } = test
  const bound = min ?? max
  if (bound === undefined || (min !== undefined && max !== undefined) || set !== undefined) return undefined
  return isEqual(not, bound) ? { op: min === undefined ? 'below' : 'above', bound } : undefined
}
