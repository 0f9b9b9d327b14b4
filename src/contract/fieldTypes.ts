import { CHOICE_TYPES } from './choiceTypes.ts'
import { COMPOUND_TYPES } from './compoundTypes.ts'
import { DATE_TYPES, PERIOD_TYPES } from './dateTypes.ts'
import type { Field, FieldType, Option } from './generated.ts'
import { NUMBER_TYPES } from './numberTypes.ts'
import { CODE_TYPES, TEXT_TYPES } from './textTypes.ts'
import type { TypeFacts } from './typeFacts.ts'
import type { Values } from './when.ts'

/** All field types in the order of the constructor, with everything about them but their widgets. */
export const FIELD_TYPES: Record<FieldType, TypeFacts> = {
  ...TEXT_TYPES,
  ...CHOICE_TYPES,
  ...DATE_TYPES,
  ...NUMBER_TYPES,
  ...PERIOD_TYPES,
  ...CODE_TYPES,
  ...COMPOUND_TYPES,
}

type Typed = Pick<Field, 'type'>

/** A value in the form in which it is stored; blank texts become ''. */
export function normaliseValue(field: Field, value: unknown): unknown {
  return normalised(value, field)
}

/** What is compared of a value in searches, filters and searches for duplicates. */
export function compareKey(field: Field, value: unknown): unknown {
  return keyOf(normaliseValue(field, value), field)
}

function normalised(value: unknown, field: Field): unknown {
  return FIELD_TYPES[field.type].normalise(value, field, normalised)
}

function keyOf(value: unknown, field: Field): unknown {
  return FIELD_TYPES[field.type].compareKey(value, field, keyOf)
}

/** Normalises the values of some fields; others stay as they are. */
export function normaliseValues(fields: Iterable<Field>, values: Values): Values {
  const normalised = { ...values }
  for (const field of fields)
    if (Object.hasOwn(values, field.name)) normalised[field.name] = normaliseValue(field, values[field.name])
  return normalised
}

/** True if a field can have an answer: every type but the note. */
export function isQuestion({ type }: Typed): boolean {
  return !FIELD_TYPES[type].asksNothing
}

/** True if the value of a field is an array of rows. */
export function holdsRows({ type }: Typed): boolean {
  return FIELD_TYPES[type].holdsRows === true
}

/** True if the value of a field is the id of a file. */
export function holdsFile({ type }: Typed): boolean {
  return FIELD_TYPES[type].holdsFile !== undefined
}

/** True if people choose among the options of a field or the items of its lookup. */
export function hasChoices({ type }: Typed): boolean {
  return FIELD_TYPES[type].choices !== undefined
}

export function takesOneChoice({ type }: Typed): boolean {
  return FIELD_TYPES[type].choices === 'one'
}

export function takesSeveralChoices({ type }: Typed): boolean {
  return FIELD_TYPES[type].choices === 'several'
}

/** True if the answers of a field are among a few that are known: its choices, or yes and no. */
export function isChoice({ type }: Typed): boolean {
  return FIELD_TYPES[type].compares === 'choice'
}

/** True if the value of a field is a day of the calendar. */
export function isDay({ type }: Typed): boolean {
  return FIELD_TYPES[type].calendar === 'day'
}

/** True if the value of a field is a moment, whose day depends on the time zone. */
export function isMoment({ type }: Typed): boolean {
  return FIELD_TYPES[type].calendar === 'moment'
}

/** True if the value of a field is a duration, in seconds. */
export function countsSeconds(type: FieldType | undefined): boolean {
  // Entities are read before their types are checked.
  return type !== undefined && FIELD_TYPES[type]?.countsSeconds === true
}

/** True if a field is a scale, whose answers are numbers in a row. */
export function hasPoints({ type }: Typed): boolean {
  return FIELD_TYPES[type].points !== undefined
}

/** True if the value of a field is one text, number or choice, so that texts and conditions can use it. */
export function isSingleValue({ type }: Typed): boolean {
  return FIELD_TYPES[type].literal !== undefined
}

/** True if the answers of a field can be held to a named rule. */
export function suitsRule({ type }: Typed, rule: string): boolean {
  return FIELD_TYPES[type].rules?.includes(rule) === true
}

/** True if people can edit a field: it is neither read-only, calculated nor hidden, and not a note. */
export function isEditable({ type, attrs }: Field): boolean {
  return isQuestion({ type }) && !attrs?.read_only && !attrs?.calc && !attrs?.hidden
}

/** True unless a field is marked `hidden`, which forms never render. */
export function isRendered({ attrs }: Pick<Field, 'attrs'>): boolean {
  return !attrs?.hidden
}

/** A field's own options without retired ones, or the choices that its type has. */
export function offeredOptions({ type, attrs }: Field): Option[] {
  return (
    attrs?.options?.filter(({ active }) => active !== false) ?? FIELD_TYPES[type].ownChoices?.(attrs) ?? []
  )
}
