import { choiceKey, textKey } from '../compareKey.ts'
import { decimalFormatOf, hasSameAmounts } from '../decimal.ts'
import { FIELD_TYPES, isChoice, isSingleValue, normaliseValue, takesSeveralChoices } from '../fieldTypes.ts'
import type { Field, FieldType, TakenValue } from '../generated.ts'
import { isEqual } from '../isEqual.ts'
import { isSet } from '../when.ts'
import type { AnswerMove } from './answerMoves.ts'
import { fitsField } from './fitsField.ts'

/** A value that a field takes over, as it is or by the table; undefined if the table leaves the answer empty. */
export interface Converted {
  by: 'same' | 'table'
  value: unknown
}

type Conversion = Pick<AnswerMove, 'values' | 'was' | 'is'>

/** True if answers of one type can become answers of another: the same, or texts, numbers, dates and choices. */
export function isConvertible(was: FieldType, is: FieldType): boolean {
  const isSimple = (type: FieldType) => isSingleValue({ type }) || takesSeveralChoices({ type })
  return was === is || (isSimple(was) && isSimple(is))
}

/** The value of a field that takes over an answer; undefined if the answer does not fit. */
export function convertAnswer(value: unknown, move: Conversion): Converted | undefined {
  const whole = move.values?.find((entry) => matches(entry, value, move.was))
  if (whole) return taken(whole, move.is)
  if (!Array.isArray(value) || !takesSeveralChoices(move.was)) return asItIs(value, move)
  return ofSeveral(value, move)
}

/** An answer with several choices, each of which may be in the table. */
function ofSeveral(values: unknown[], { values: table = [], was, is }: Conversion): Converted | undefined {
  const entries = values.map((one) => table.find((entry) => matches(entry, one, was)))
  const by = entries.some(Boolean) ? 'table' : 'same'
  const single = { was: { ...was, type: 'select' as const }, is: { ...is, type: oneOf(is) } }
  const converted = entries.map((entry, i) => (entry ? taken(entry, single.is) : asItIs(values[i], single)))
  if (converted.includes(undefined)) return undefined
  const items = converted.map((one) => one!.value).filter((item) => item !== undefined)
  const distinct = items.filter((item, i) => items.indexOf(item) === i)
  if (distinct.length === 0) return { by, value: undefined }
  if (takesSeveralChoices(is)) return { by, value: distinct }
  return distinct.length === 1 ? { by, value: distinct[0] } : undefined
}

/** Field type of a single choice of this field. */
function oneOf(is: Field): FieldType {
  return takesSeveralChoices(is) ? 'select' : is.type
}

function taken({ is: value }: TakenValue, is: Field): Converted {
  if (!isSet(value)) return { by: 'table', value: undefined }
  return { by: 'table', value: takesSeveralChoices(is) && !Array.isArray(value) ? [value] : value }
}

/** True if an entry of a table is about a value. */
export function matches({ was: written, min, max }: TakenValue, value: unknown, was: Field): boolean {
  if (written === undefined) {
    const amount = value === '' || Array.isArray(value) ? Number.NaN : Number(value)
    return !Number.isNaN(amount) && amount >= (min ?? -Infinity) && amount <= (max ?? Infinity)
  }
  if (Array.isArray(written)) return Array.isArray(value) && isEqual([...written].sort(), [...value].sort())
  if (typeof written === 'string' && typeof value === 'string' && FIELD_TYPES[was.type].calculates === 'text')
    return textKey(written) === textKey(value)
  return (
    written === value || (FIELD_TYPES[was.type].decimal !== undefined && Number(written) === Number(value))
  )
}

function asItIs(value: unknown, { was, is }: Conversion): Converted | undefined {
  const isSame = was.type === is.type && hasSameAmounts(was, is)
  for (const candidate of candidatesOf(value, was, is)) {
    const normalised = normaliseValue(is, candidate)
    if (isSet(normalised) && fitsField(is, normalised, isSame)) return { by: 'same', value: normalised }
  }
  return undefined
}

/** The forms that a value can have in a field of another type, the best first. */
function candidatesOf(value: unknown, was: Field, is: Field): unknown[] {
  // The numbers of items mean nothing in another list, and amounts nothing in another currency.
  if ((isChoice(was) || isChoice(is)) && was.attrs?.lookup !== is.attrs?.lookup) return []
  if (currencyOf(was) !== undefined && currencyOf(is) !== undefined && currencyOf(was) !== currencyOf(is))
    return []
  if (was.type === is.type) return [value]
  const single = Array.isArray(value) && value.length === 1 ? value[0] : value
  const words = wordsOf(single, was)
  const choices = optionsOf(is)
  if (choices) {
    const sameWords = choices.filter(
      ({ label, value: own }) =>
        choiceKey(label) === choiceKey(words) || choiceKey(String(own)) === choiceKey(words),
    )
    const sameValue = choices.filter((one) => one.value === single && optionsOf(was) !== undefined)
    const found = [...sameValue, ...sameWords].map((one) => one.value)
    return takesSeveralChoices(is) ? found.map((one) => [one]) : found
  }
  if (takesSeveralChoices(is) || takesSeveralChoices(was)) return sameList(was, is) ? [single, [single]] : []
  if (FIELD_TYPES[is.type].calculates === 'text')
    return sameList(was, is) || !was.attrs?.lookup ? [words] : []
  const isNumber = FIELD_TYPES[is.type].calculates === 'number'
  return isNumber ? [value, Number(value), String(value)] : [value]
}

function currencyOf(field: Field): string | undefined {
  return decimalFormatOf(field)?.currency
}

function sameList(was: Field, is: Field): boolean {
  return was.attrs?.lookup !== undefined && was.attrs.lookup === is.attrs?.lookup
}

function optionsOf({ type, attrs }: Field) {
  return attrs?.options ?? FIELD_TYPES[type].ownChoices?.(attrs)
}

function wordsOf(value: unknown, was: Field): string {
  const label = optionsOf(was)?.find((option) => option.value === value)?.label
  return label ?? String(value)
}
