import { isRealDay } from './days.ts'
import { FIELD_TYPES } from './fieldTypes.ts'
import type { Property } from './generated.ts'
import { suggest } from './suggest.ts'
import { asNumber, isOtherPath, type Literal, operandsOf, type Test } from './when.ts'

/** What the values of a property can be compared with; undefined for objects, rows and what is not known. */
type ValueKind = 'boolean' | 'number' | 'decimal' | 'text' | 'date'

const IN_WORDS: Record<ValueKind, string> = {
  boolean: 'true or false',
  number: 'a number',
  decimal: 'a number',
  text: 'a text',
  date: 'a date',
}

/** Most options that a message lists. */
const MAX_LISTED = 12

/** The kind of a property's values, or of the items of its list. */
export function kindOfValue({
  type,
  format,
  items,
  lookup,
  ref,
  fieldType,
}: Property): ValueKind | undefined {
  if (format) return 'date'
  if (fieldType && FIELD_TYPES[fieldType].decimal) return 'decimal'
  const types = [type].flat().filter((one) => one !== 'null')
  if (types.includes('array')) {
    const item = items as Property | undefined
    return lookup || ref ? 'number' : item?.type && kindOfValue({ ...item, title: '' })
  }
  if (types.length !== 1) return undefined
  if (types[0] === 'boolean') return 'boolean'
  if (types[0] === 'integer' || types[0] === 'number') return 'number'
  return types[0] === 'string' ? 'text' : undefined
}

/** True if numbers or durations can be added up: no ids, and no numbers that stand for a choice or a year. */
export function isAmount(property: Property): boolean {
  const { lookup, ref, options, fieldType = 'integer' } = property
  const kind = kindOfValue(property)
  const isPlain = !lookup && !ref && !options && FIELD_TYPES[fieldType].results?.includes('number') === true
  return isPlain && (kind === 'number' || kind === 'decimal')
}

/** Error of a value that a property can never have; undefined if it can, or if its values are not known. */
export function valueProblem(name: string, property: Property, value: Literal): string | undefined {
  if (value === null) return undefined
  const options = property.options?.map((option) => option.value) ?? yesNoOptions(property)
  if (options) {
    if (options.some((option) => option === value || asNumber(option) === value)) return undefined
    return `${quoted(value)} is not one of the options of '${name}'${adviceOn(value, options, property)}`
  }
  if (property.columns) return `'${name}' has rows: a condition can only ask whether it is set`
  const kind = kindOfValue(property)
  if (!kind || fits(kind, value)) return undefined
  const like = likelyValue(kind, value)
  const advice = like === undefined ? '' : `; write ${like}`
  const isList = [property.type].flat().includes('array')
  return `'${name}' is ${isList ? 'a list of which each is ' : ''}${IN_WORDS[kind]}, which ${quoted(value)} never equals${advice}`
}

/** Error of the values that a test compares a property with. */
export function testProblem(name: string, property: Property, test: Test): string | undefined {
  for (const operand of operandsOf(test)) {
    const problem =
      operand === null || typeof operand === 'object' ? undefined : valueProblem(name, property, operand)
    if (problem) return problem
  }
  if (test === null || typeof test !== 'object' || Array.isArray(test) || isOtherPath(test)) return undefined
  const isOrdered = test.min !== undefined || test.max !== undefined
  return isOrdered && !hasOrder(property)
    ? `'${name}' has no order: 'min' and 'max' are for numbers and dates`
    : undefined
}

/** Error of comparing two properties whose values can never be equal. */
export function comparisonProblem(
  [name, property]: [string, Property],
  [otherName, other]: [string, Property],
): string | undefined {
  const [kind, otherKind] = [property, other].map(kindOfValue)
  if (!kind || !otherKind || IN_WORDS[kind] === IN_WORDS[otherKind]) return undefined
  return `'${name}' is ${IN_WORDS[kind]} and '${otherName}' ${IN_WORDS[otherKind]}, so they are never equal`
}

function hasOrder(property: Property): boolean {
  const { fieldType = 'text' } = property
  const kind = kindOfValue(property)
  return (
    kind === undefined || !['boolean', 'text'].includes(kind) || FIELD_TYPES[fieldType].compares === 'amount'
  )
}

function yesNoOptions({ fieldType }: Property): Literal[] | undefined {
  return fieldType && FIELD_TYPES[fieldType].ownChoices?.().map(({ value }) => value)
}

function fits(kind: ValueKind, value: Exclude<Literal, null>): boolean {
  if (kind === 'date') return typeof value === 'string' && isRealDay(value.slice(0, 10))
  if (kind === 'decimal') return typeof asNumber(value) === 'number'
  return typeof value === (kind === 'text' ? 'string' : kind)
}

const TRUE = ['true', 'yes', 'on', '1']
const FALSE = ['false', 'no', 'off', '0']

/** The value in the type that was probably meant, for a message. */
function likelyValue(kind: ValueKind, value: Exclude<Literal, null>): string | undefined {
  const text = String(value).toLowerCase()
  if (kind === 'boolean') return TRUE.includes(text) ? 'true' : FALSE.includes(text) ? 'false' : undefined
  if (kind === 'number') return typeof asNumber(value) === 'number' ? text : undefined
  if (kind === 'date') return 'it like "2026-01-31"'
  return kind === 'text' ? `"${value}"` : undefined
}

/** Advice for the end of a message: the option with this label, else the nearest one, else all if there are few. */
function adviceOn(value: Literal, options: Literal[], property: Property): string {
  const called = property.options?.find(({ label }) => label === value)
  if (called) return `; write ${quoted(called.value)}, which '${called.label}' stands for`
  const known = options.filter((option) => option !== null)
  const near = typeof value === 'string' && suggest(value, known.map(String))
  if (near) return near
  return known.length <= MAX_LISTED ? `; its options are ${known.map(quoted).join(', ')}` : ''
}

/** A text in quotes, a number or boolean without. */
function quoted(value: Literal): string {
  return typeof value === 'string' ? `'${value}'` : String(value)
}
