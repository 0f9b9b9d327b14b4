import { formatDay } from './days.ts'
import { FIELD_TYPES } from './fieldTypes.ts'
import type { Field } from './generated.ts'
import { isLimitRule, ruleError, yearsFrom } from './rules.ts'
import type { FieldSchema } from './typeFacts.ts'

/** Keywords of JSON Schema that limit the values that people enter, but do not refuse a stored one. */
export const LIMIT_KEYWORDS = ['maxLength', 'minimum', 'maximum']

/** The error of a value outside the limits of its field that JSON Schema cannot express, in words after the label. */
export function limitError(field: FieldSchema, value: unknown, today: string): string | undefined {
  const { least, most, maxWords } = field
  if (least !== undefined && Number(value) < least) return `must be ${inFull(least)} or more`
  if (most !== undefined && Number(value) > most) return `must be ${inFull(most)} or less`
  if (maxWords !== undefined) {
    const words = wordCount(String(value))
    if (words > maxWords) return `has ${inFull(words)} words of at most ${inFull(maxWords)}`
  }
  return typeof value === 'string' ? dateError(field, value, today) : undefined
}

function dateError({ earliest, yearsAhead }: FieldSchema, date: string, today: string): string | undefined {
  // A filter by a date has no limits, nor a today.
  if (earliest === undefined || yearsAhead === undefined || today === '') return undefined
  // A month is compared by its own characters.
  const length = Math.min(date.length, today.length)
  if (date < earliest.slice(0, length)) return `must be from ${formatDay(earliest)} on`
  const latest = yearsFrom(today, yearsAhead)
  if (date.slice(0, length) > latest.slice(0, length)) return `must be ${formatDay(latest)} or before`
  return undefined
}

const limited = new WeakMap<Field, FieldSchema>()

/** The warning about a stored value outside the limits of its field; undefined if it is inside. */
export function limitWarning(field: Field, value: unknown, today: string): string | undefined {
  const known = limited.get(field)
  const { label, attrs } = field
  const schema = known ?? { ...FIELD_TYPES[field.type].schema(field), maxWords: attrs?.max_words }
  if (!known) limited.set(field, schema)
  const words = wordsOfWarning(schema, value, today, attrs?.rules)
  return words && `${label} ${words}`
}

function wordsOfWarning(
  schema: FieldSchema,
  value: unknown,
  today: string,
  rules: string[] = [],
): string | undefined {
  const { maxLength, minimum, maximum } = schema
  if (typeof value === 'string' && [...value].length > Number(maxLength ?? Number.POSITIVE_INFINITY))
    return `is longer than ${inFull(Number(maxLength))} characters`
  if (typeof value === 'number' && value < Number(minimum ?? value)) return `should be ${minimum} or more`
  if (typeof value === 'number' && value > Number(maximum ?? value)) return `should be ${maximum} or less`
  const error = rules
    .filter(isLimitRule)
    .map((rule) => ruleError(rule, value, { answers: {}, today }))
    .find(Boolean)
  return (limitError(schema, value, today) ?? error)?.replace(/^must/, 'should')
}

function wordCount(text: string): number {
  return text.match(/\S+/g)?.length ?? 0
}

function inFull(count: number): string {
  return count.toLocaleString('en-GB', { maximumFractionDigits: 6 })
}
