import { choiceKey } from '../../../contract/compareKey.ts'
import { parseDecimal } from '../../../contract/decimal.ts'
import { FIELD_TYPES, normaliseValue, takesSeveralChoices } from '../../../contract/fieldTypes.ts'
import type { Field } from '../../../contract/generated.ts'
import { normaliseLine, normaliseLong, normaliseTime } from '../../../contract/normalise.ts'
import { describeScale, pointsOf, wordsAt } from '../../../contract/scale.ts'
import type { SheetKind } from '../../../contract/typeFacts.ts'
import { isPlainObject, isSet } from '../../../contract/when.ts'
import {
  clockOfCell,
  type DateOptions,
  dayOfCell,
  durationOfCell,
  monthOfCell,
  timeOfCell,
} from './cellDates.ts'

/** The value of a cell, or its error in words. */
type ParsedCell = { value: unknown } | { wrong: string }
/** Values of choices by the `choiceKey` of their label. */
export type Choices = Map<string, number | string>

type CellParser = (text: string, field: Field, choices: Choices, options: DateOptions) => ParsedCell

const YES_NO_VALUES: Record<string, string> = {
  yes: 'yes',
  y: 'yes',
  true: 'yes',
  '1': 'yes',
  no: 'no',
  n: 'no',
  false: 'no',
  '0': 'no',
  'not known': 'not_known',
  not_known: 'not_known',
}

/** How a cell is read, by the kind of its column; of the others, the text is the value. */
const PARSERS: Partial<Record<SheetKind, CellParser>> = {
  whole: (text, { label }) =>
    /^-?\d{1,9}$/.test(text) ? { value: Number(text) } : { wrong: `${label} must be a whole number` },
  point: (text, { label, attrs }) => {
    // A cell may have the words of a point instead of its number.
    const point = pointsOf(attrs).find((one) =>
      [String(one), choiceKey(wordsAt(attrs, one) ?? '')].includes(choiceKey(text)),
    )
    return point === undefined
      ? { wrong: `${label} must be a number from ${describeScale(attrs)}` }
      : { value: point }
  },
  yesNo: (text, { label }) => {
    const value = YES_NO_VALUES[choiceKey(text)]
    return value ? { value } : { wrong: `${label} must be Yes or No` }
  },
  choice: (text, { label }, choices) => {
    const value = oneOf(text, choices)
    return value === undefined ? { wrong: `${label}: there is no choice '${text}'` } : { value }
  },
  choices: (text, { label }, choices) => {
    const { values, rest } = manyOf(text, choices)
    return rest ? { wrong: `${label}: there is no choice '${rest}'` } : { value: values }
  },
  day: (text, { label }, _, options) => {
    const value = dayOfCell(text, options)
    return value ? { value } : { wrong: `${label} must be a date such as 4/6/2026 or 2026-06-04` }
  },
  moment: (text, { label }, _, options) => {
    const value = timeOfCell(text, options)
    return value ? { value } : { wrong: `${label} must be a date and time such as 4/6/2026 14:30` }
  },
  hours: (text, { label }, _, { serials }) => {
    const value = durationOfCell(text, serials)
    return value === undefined ? { wrong: `${label} must be hours and minutes such as 01:30` } : { value }
  },
  decimal: decimalCell,
  year: (text, { label }) =>
    /^[1-9]\d{3}$/.test(text) ? { value: Number(text) } : { wrong: `${label} must be a year such as 2026` },
  month: (text, { label }, _, options) => {
    const value = monthOfCell(text, options)
    return value ? { value } : { wrong: `${label} must be a month such as June 2026 or 2026-06` }
  },
  clock: (text, { label }) => {
    const typed = normaliseTime(text)
    const value = clockOfCell(text) ?? (/^([01]\d|2[0-3]):[0-5]\d$/.test(typed) ? typed : undefined)
    return value ? { value } : { wrong: `${label} must be a time of day such as 14:30` }
  },
  none: (_, { label, type }) => ({
    wrong: `${label} is ${FIELD_TYPES[type].holdsFile === 'drawn' ? 'signed' : 'uploaded'} in its form`,
  }),
}

function decimalCell(text: string, field: Field): ParsedCell {
  // A calculated cell may have 0.30000000000000004.
  const typed = /\.\d{9,}$/.test(text) ? String(Number(Number(text).toPrecision(15))) : text
  const value = parseDecimal(typed, field)
  const { pattern, mustBe } = FIELD_TYPES[field.type].schema(field)
  return new RegExp(pattern as string).test(value ?? '')
    ? { value }
    : { wrong: `${field.label} must be ${mustBe}` }
}

/** Reads a cell as the value of a field; an empty one is null. */
export function parseCell(
  cell: unknown,
  field: Field,
  choices: Choices,
  options: DateOptions = {},
): ParsedCell {
  if (isPlainObject(cell)) return { wrong: `${field.label} ${cell.wrong}` }
  // An export writes ' before a text that Excel would take for a formula.
  const text = normaliseLong(String(isSet(cell) ? cell : '')).replace(/^'(?=[=+\-@])/, '')
  if (text === '') return { value: takesSeveralChoices(field) ? [] : null }
  const parse = PARSERS[FIELD_TYPES[field.type].sheet.kind]
  return parse ? parse(normaliseLine(text), field, choices, options) : { value: normaliseValue(field, text) }
}

function oneOf(text: string, choices: Choices): number | string | undefined {
  const byLabel = choices.get(choiceKey(text))
  if (byLabel !== undefined) return byLabel
  return [...choices.values()].find((value) => String(value) === text)
}

/** Splits choices at commas and semicolons; labels may have commas themselves, so the longest that matches is used. */
function manyOf(text: string, choices: Choices): { values: unknown[]; rest: string } {
  const values: unknown[] = []
  let rest = text.trim()
  while (rest) {
    const ends = [...rest.matchAll(/[,;]|$/g)].map(({ index }) => index).reverse()
    const end = ends.find((at) => oneOf(rest.slice(0, at).trim(), choices) !== undefined)
    if (end === undefined) return { values, rest }
    values.push(oneOf(rest.slice(0, end).trim(), choices))
    rest = rest.slice(end + 1).trim()
  }
  return { values: [...new Set(values)], rest }
}
