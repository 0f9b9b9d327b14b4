import Big from 'big.js'
import { CALCULATIONS, type Formula, type Kind, numberOf, type Operand } from './calculations.ts'
import { isDecimal, placesOf } from './decimal.ts'
import type { Field, FieldType } from './generated.ts'
import { LARGEST_INTEGER } from './limits.ts'

const KINDS: Partial<Record<FieldType, Kind>> = {
  integer: 'number',
  scale: 'number',
  duration: 'number',
  decimal: 'number',
  money: 'number',
  year: 'number',
  date: 'date',
  text: 'text',
  textarea: 'text',
  phone: 'text',
  postcode: 'text',
  yesno: 'choice',
  select: 'choice',
  multiselect: 'choice',
}

/** The kind of operand that a field is; undefined if its value cannot be calculated with. */
export function kindOf({ type }: Field): Kind | undefined {
  return KINDS[type]
}

/** True if a parameter of kind `taken` accepts a field. */
export function takesKind(taken: Kind, field: Field): boolean {
  const kind = kindOf(field)
  if (taken === 'any') return field.type !== 'note'
  if (taken === 'amount') return kind === 'number' || kind === 'date'
  // Options have labels; the labels and weights of lookup items are not known here.
  if (taken === 'text') return kind === 'text' || kind === 'number' || hasOptions(field)
  return taken === 'choice' ? hasOptions(field) : taken === kind
}

/** Field types that can store a result of each kind, in the order of FIELD_TYPES. */
export const RESULT_TYPES: Record<Kind, FieldType[]> = {
  number: ['integer', 'duration', 'decimal', 'money'],
  date: ['date'],
  amount: ['integer', 'duration', 'decimal', 'money', 'date'],
  text: ['text', 'textarea'],
  choice: [],
  any: ['text', 'textarea', 'date', 'integer', 'duration', 'decimal', 'money', 'phone', 'postcode'],
}

/** Result of a field's own formula, or of that of its default; undefined while it cannot be calculated. */
export function calculate(
  field: Field,
  operands: Operand[],
  { calc, of = [] } = field.attrs as Formula,
): unknown {
  const { run, least } = CALCULATIONS[calc]
  return of.length < least ? undefined : asAnswer(field, run(operands))
}

const LONGEST_TEXT: Partial<Record<FieldType, number>> = { text: 500, textarea: 20000 }

/** Converts a result to the stored value of a field; undefined if its type cannot store the result. */
export function asAnswer(field: Field, result: unknown): unknown {
  const { type, attrs } = field
  if (KINDS[type] === 'number') {
    const number = result instanceof Big ? result : numberOf(result)
    if (isDecimal(field)) return number && decimalOf(number, placesOf(field))
    const whole = number && Number(number.round(0, Big.roundHalfUp))
    return whole === undefined || Math.abs(whole) > LARGEST_INTEGER ? undefined : whole
  }
  if (result === undefined || result instanceof Big) return result?.toString()
  const longest = attrs?.max_length ?? LONGEST_TEXT[type]
  return longest ? String(result).slice(0, longest) : result
}

const LARGEST_DECIMAL = new Big('1e15')

/** Rounds to a number of decimal places, zero without a minus sign; undefined if the number is too large. */
function decimalOf(number: Big, places: number): string | undefined {
  const rounded = number.round(places, Big.roundHalfUp)
  if (rounded.abs().gte(LARGEST_DECIMAL)) return undefined
  return (rounded.eq(0) ? new Big(0) : rounded).toFixed(places)
}

function hasOptions({ attrs }: Field): boolean {
  return attrs?.options !== undefined
}
