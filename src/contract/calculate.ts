import Big from 'big.js'
import { CALCULATIONS, type Kind } from './calculations.ts'
import { decimalFormatOf } from './decimal.ts'
import { numberOf } from './decimalArithmetic.ts'
import { FIELD_TYPES, holdsRows, isQuestion } from './fieldTypes.ts'
import type { Formula } from './formula.ts'
import type { Field, FieldType } from './generated.ts'
import { MAX_INTEGER } from './limits.ts'
import type { Operand } from './operand.ts'
import type { TypeFacts } from './typeFacts.ts'
import type { Holidays } from './workingDays.ts'

/** The kind of operand that a field is; undefined if its value cannot be calculated with. */
export function kindOf({ type }: Field): Kind | undefined {
  return FIELD_TYPES[type].calculates
}

/** True if a parameter of kind `taken` accepts a field. */
export function takesKind(taken: Kind, field: Field): boolean {
  const kind = kindOf(field)
  if (taken === 'any') return isQuestion(field)
  if (taken === 'amount') return kind === 'number' || kind === 'date'
  // Options have labels; the labels and weights of lookup items are not known here.
  if (taken === 'text') return kind === 'text' || kind === 'number' || hasOptions(field)
  if (taken === 'dateFormat') return false
  if (taken === 'rows') return holdsRows(field)
  return taken === 'choice' ? hasOptions(field) : taken === kind
}

/** Field types that can store a result of a kind, in the order of the constructor. */
export function resultTypes(kind: Kind): FieldType[] {
  const types = Object.entries(FIELD_TYPES) as [FieldType, TypeFacts][]
  // A literal that an administrator writes into a formula may also be one of the choices of the field.
  const isChosen = ({ calculates, choices }: TypeFacts) => calculates === 'choice' && choices !== 'several'
  return types.flatMap(([type, facts]) =>
    (kind === 'value' ? facts.results?.includes('any') || isChosen(facts) : facts.results?.includes(kind))
      ? type
      : [],
  )
}

/**
 * Result of the formula of a field or of its default; undefined while it cannot be calculated. Only a calculation with
 * a calendar gets `holidays`.
 */
export function calculate(
  field: Field,
  operands: Operand[],
  { calc, of = [] } = field.attrs as Formula,
  holidays?: Holidays,
): unknown {
  const { run, least } = CALCULATIONS[calc]
  return of.length < least ? undefined : asAnswer(field, run(operands, holidays))
}

/** Converts a result to the stored value of a field; undefined if its type cannot store the result. */
export function asAnswer(field: Field, result: unknown): unknown {
  const { type, attrs } = field
  if (kindOf(field) === 'number') {
    const number = result instanceof Big ? result : numberOf(result)
    const format = decimalFormatOf(field)
    if (format) return number && decimalOf(number, format.places)
    const whole = number && Number(number.round(0, Big.roundHalfUp))
    return whole === undefined || Math.abs(whole) > MAX_INTEGER ? undefined : whole
  }
  if (result === undefined || result instanceof Big) return result?.toString()
  const longest = attrs?.max_length ?? FIELD_TYPES[type].longest
  return longest ? String(result).slice(0, longest) : result
}

const MAX_DECIMAL = new Big('1e15')

/** Rounds to a number of decimal places, zero without a minus sign; undefined if the number is too large. */
function decimalOf(number: Big, places: number): string | undefined {
  const rounded = number.round(places, Big.roundHalfUp)
  if (rounded.abs().gte(MAX_DECIMAL)) return undefined
  return (rounded.eq(0) ? new Big(0) : rounded).toFixed(places)
}

function hasOptions({ attrs }: Field): boolean {
  return attrs?.options !== undefined
}
