import type { Field } from '../generated.ts'

/** The comparison operators of conditions. */
export type Op = 'is' | 'oneOf' | 'not' | 'set' | 'unset' | 'min' | 'max' | 'above' | 'below'

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
}
const OF_DATE: Partial<Record<Op, string>> = { above: 'is after', below: 'is before' }
const OF_LIST: Partial<Record<Op, string>> = {
  is: 'includes',
  oneOf: 'includes one of',
  not: 'does not include',
}

/** The words of an operator between field and values; a field with several values 'includes' them. */
export function describeOperator(op: Op, field: Field | undefined): string {
  if (field?.type === 'multiselect' && OF_LIST[op]) return OF_LIST[op]
  return (field?.type === 'date' && OF_DATE[op]) || OF_ONE[op]
}
