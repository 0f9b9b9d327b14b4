import { isDay, takesSeveralChoices } from '../fieldTypes.ts'
import type { Field } from '../generated.ts'

export type Op =
  | 'is'
  | 'oneOf'
  | 'not'
  | 'set'
  | 'unset'
  | 'min'
  | 'max'
  | 'above'
  | 'below'
  | 'anyRow'
  | 'everyRow'
  | 'fewest'
  | 'most'

const OF_ONE: Record<Op, string> = {
  is: 'is',
  oneOf: 'is one of',
  not: 'is not',
  set: 'has a value',
  unset: 'has no value',
  min: 'is at least',
  max: 'is at most',
  above: 'is more than',
  below: 'is less than',
  anyRow: 'has a row in which',
  everyRow: 'has rows, and in every one',
  fewest: 'has at least so many rows in which',
  most: 'has at most so many rows in which',
}
const OF_DATE: Partial<Record<Op, string>> = { above: 'is after', below: 'is before' }
const OF_LIST: Partial<Record<Op, string>> = {
  is: 'includes',
  oneOf: 'includes one of',
  not: 'does not include',
}

/** The words of an operator between field and values; a field with several values 'includes' them. */
export function describeOperator(op: Op, field: Field | undefined): string {
  const own = field && ((takesSeveralChoices(field) && OF_LIST[op]) || (isDay(field) && OF_DATE[op]))
  return own || OF_ONE[op]
}
