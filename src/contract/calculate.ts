import Big from 'big.js'
import { CALCULATIONS, type Formula, type Kind, numberOf, type Operand } from './calculations.ts'
import { isDecimal, placesOf } from './decimal.ts'
import type { Field, FieldType } from './generated.ts'

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

/** What functions take a field as; undefined where its value is nothing to calculate with. */
export function kindOf({ type }: Field): Kind | undefined {
  return KINDS[type]
}

/** Whether a function that takes one kind takes a field of another. */
export function takesKind(taken: Kind, field: Field): boolean {
  const kind = kindOf(field)
  if (taken === 'any') return field.type !== 'note'
  if (taken === 'amount') return kind === 'number' || kind === 'date'
  // A choice has a text; what items of lists weigh and are called is not known here.
  if (taken === 'text') return kind === 'text' || kind === 'number' || hasOptions(field)
  return taken === 'choice' ? hasOptions(field) : taken === kind
}

/** The types a field may have whose value a function gives, in the order of FIELD_TYPES. */
export const GIVEN_TYPES: Record<Kind, FieldType[]> = {
  number: ['integer', 'duration', 'decimal', 'money'],
  date: ['date'],
  amount: ['integer', 'duration', 'decimal', 'money', 'date'],
  text: ['text', 'textarea'],
  choice: [],
  any: ['text', 'textarea', 'date', 'integer', 'duration', 'decimal', 'money', 'phone', 'postcode'],
}

/** What a formula, its own one or that of its default, gives a field; undefined while it cannot be calculated. */
export function calculate(
  field: Field,
  operands: Operand[],
  { calc, of = [] } = field.attrs as Formula,
): unknown {
  const { run, least } = CALCULATIONS[calc]
  return of.length < least ? undefined : asAnswer(field, run(operands))
}

const LARGEST = 2147483647
const LONGEST_TEXT: Partial<Record<FieldType, number>> = { text: 500, textarea: 20000 }

/** A result as a field of this type stores it; one that the type cannot hold is none. */
export function asAnswer(field: Field, result: unknown): unknown {
  const { type, attrs } = field
  if (KINDS[type] === 'number') {
    const number = result instanceof Big ? result : numberOf(result)
    if (isDecimal(field)) return number && decimalOf(number, placesOf(field))
    const whole = number && Number(number.round(0, Big.roundHalfUp))
    return whole === undefined || Math.abs(whole) > LARGEST ? undefined : whole
  }
  if (result === undefined || result instanceof Big) return result?.toString()
  const longest = attrs?.max_length ?? LONGEST_TEXT[type]
  return longest ? String(result).slice(0, longest) : result
}

const LARGEST_DECIMAL = new Big('1e15')

/** Rounded to so many places; zero has no minus. */
function decimalOf(number: Big, places: number): string | undefined {
  const rounded = number.round(places, Big.roundHalfUp)
  if (rounded.abs().gte(LARGEST_DECIMAL)) return undefined
  return (rounded.eq(0) ? new Big(0) : rounded).toFixed(places)
}

function hasOptions({ attrs }: Field): boolean {
  return attrs?.options !== undefined
}
