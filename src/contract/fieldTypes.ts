import { codeKey, phoneKey, textKey } from './compareKey.ts'
import { CONTACT_PARTS } from './contactParts.ts'
import { decimalPattern, parseDecimal, placesOf } from './decimal.ts'
import type { Check, Field, FieldAttrs, FieldType, Option } from './generated.ts'
import { LARGEST_INTEGER } from './limits.ts'
import {
  normaliseDateTime,
  normaliseLine,
  normaliseLong,
  normalisePhone,
  normalisePostcode,
  normaliseTime,
} from './normalise.ts'
import { mostRows } from './repeatLimits.ts'
import { EMAIL, ruleFor } from './rules.ts'
import { describeScale, pointsOf } from './scale.ts'
import { isPlainObject, MOST_CHOSEN, type Values } from './when.ts'

/** A JSON Schema (draft 7) without conditionals, extended by named `rules` and error messages. */
export interface FieldSchema {
  type?: string
  title?: string
  rules?: string[]
  /** Pattern of a text as an RE2 expression, which JSON Schema does not support. */
  matches?: string
  example?: string
  requiredText?: string
  /** The `checks` of the field's attributes. */
  checks?: Check[]
  maxWords?: number
  /** Choices that exclude all others. */
  exclusive?: Option[]
  /** Limits of a number stored as text, which JSON Schema cannot compare. */
  least?: number
  most?: number
  /** Limits of a date: its first day, and years after today. */
  earliest?: string
  yearsAhead?: number
  /** End of the error message for a value of the wrong type: 'must be …'. */
  mustBe?: string
  required?: string[]
  properties?: Record<string, FieldSchema>
  additionalProperties?: boolean
  items?: FieldSchema | FieldSchema[]
  enum?: unknown[]
  [keyword: string]: unknown
}

/** Definition of a field type; its widget is in engine/form/theme/theme.ts. */
interface TypeFacts {
  /** Name in the constructor, and a short description. */
  title: string
  about: string
  /** Attributes that apply to this type, besides those of every type. */
  attrs?: (keyof FieldAttrs)[]
  /** How conditions compare it; omitted: they only test whether it is answered. */
  compares?: 'choice' | 'amount' | 'text'
  /** JSON Schema of an answered value, with its limits; schema.ts adds the rows of a repeat. */
  schema: (field: Field) => FieldSchema
  /** The one form in which a value is stored; a value of the wrong type stays as it is, to be refused. */
  normalise: Form
  /** What searches, filters and searches for duplicates compare of a stored value. */
  compareKey: Form
  /** Sample answer for the preview of all types. */
  example?: unknown
}

type Form = (value: unknown, field: Field) => unknown

/** At least five digits; then perhaps an extension or words: '01632 960001 ext 5', '07700 900 123 (after 6pm)'. */
const PHONE = '^(?=([^0-9]*[0-9]){5})\\+?[0-9()][0-9 ()./-]{4,24}([ ,;(#]*\\p{L}.*|[ ,;]*#[ 0-9]+)?$'
const MAX_PHONE_LENGTH = 100
const POSTCODE = '^[A-Za-z]{1,2}[0-9][A-Za-z0-9]? ?[0-9][A-Za-z]{2}$'
/** The longest duration, 99:59, in seconds. */
export const LONGEST = (99 * 60 + 59) * 60

const unchanged: Form = (value) => value
/** A form of texts only. */
const ofText =
  (form: (text: string, field: Field) => string): Form =>
  (value, field) =>
    typeof value === 'string' ? form(value, field) : value
const lineOrRule = ofText((text, { attrs }) => (ruleFor(attrs?.rules, 'normalise') ?? normaliseLine)(text))
const textOrRuleKey = ofText((text, { attrs }) => (ruleFor(attrs?.rules, 'compareKey') ?? textKey)(text))
/** A number is compared by its amount, also where its field has got more decimal places since. */
const DECIMAL_FORMS = {
  normalise: ofText((text, field) => parseDecimal(normaliseLine(text), field) ?? ''),
  compareKey: ofText((text) => (Number.isNaN(Number(text)) ? text : String(Number(text)))),
}
const UNCHANGED = { normalise: unchanged, compareKey: unchanged }
/** Dates and the like, whose pattern allows one spelling. */
const SPELT = { normalise: ofText(normaliseLine), compareKey: unchanged }
const DATE_LIMITS = { earliest: '1900-01-01', yearsAhead: 100 }

const text = (maxLength: number) => (field: Field) => ({
  type: 'string',
  maxLength: field.attrs?.max_length ?? maxLength,
})
const like = (pattern: string) => () => ({ type: 'string', pattern })
const decimal = (field: Field) => {
  const places = placesOf(field)
  const example = (12.5).toFixed(places)
  return {
    ...like(decimalPattern(places))(),
    ...(field.attrs?.min !== undefined && { least: field.attrs.min }),
    ...(field.attrs?.max !== undefined && { most: field.attrs.max }),
    mustBe: `${field.type === 'money' ? 'an amount' : 'a number'} such as ${example}`,
  }
}
const CHOICES: (keyof FieldAttrs)[] = ['options', 'lookup', 'lookup_params', 'default']

/** All field types in the order of the constructor, with everything about them but their widgets. */
export const FIELD_TYPES: Record<FieldType, TypeFacts> = {
  text: {
    title: 'Text',
    about: 'One line',
    attrs: ['max_length', 'rules', 'pattern', 'default'],
    compares: 'text',
    schema: text(500),
    example: 'Some text',
    normalise: lineOrRule,
    compareKey: textOrRuleKey,
  },
  textarea: {
    title: 'Long text',
    about: 'Several lines',
    attrs: ['max_length', 'max_words', 'default'],
    schema: text(20000),
    example: 'Several\nlines',
    normalise: ofText(normaliseLong),
    compareKey: ofText(textKey),
  },
  yesno: {
    title: 'Yes or no',
    about: 'Yes, no or not known',
    attrs: ['known_only', 'default'],
    compares: 'choice',
    schema: (field) => ({ type: 'string', enum: yesNoValues(field) }),
    example: 'yes',
    ...UNCHANGED,
  },
  select: {
    title: 'One choice',
    about: 'One of several choices',
    attrs: [...CHOICES, 'radios'],
    compares: 'choice',
    schema: choice,
    example: 'green',
    ...UNCHANGED,
  },
  multiselect: {
    title: 'Several choices',
    about: 'Any of several choices',
    attrs: CHOICES,
    compares: 'choice',
    schema: severalChoices,
    example: ['red', 'blue'],
    normalise: unchanged,
    compareKey: (value) => (Array.isArray(value) ? [...value].sort() : value),
  },
  date: {
    title: 'Date',
    about: 'A day',
    attrs: ['rules', 'default'],
    compares: 'amount',
    schema: () => ({ type: 'string', format: 'date', ...DATE_LIMITS }),
    example: '2026-06-04',
    ...SPELT,
  },
  datetime: {
    title: 'Date and time',
    about: 'A day and an hour',
    attrs: ['rules'],
    schema: () => ({ type: 'string', format: 'date-time', ...DATE_LIMITS }),
    example: '2026-06-04T09:42:00Z',
    normalise: ofText(normaliseDateTime),
    compareKey: unchanged,
  },
  integer: {
    title: 'Number',
    about: 'A whole number',
    attrs: ['min', 'max', 'default'],
    compares: 'amount',
    schema: ({ attrs }) => ({
      type: 'integer',
      minimum: attrs?.min ?? -LARGEST_INTEGER - 1,
      maximum: attrs?.max ?? LARGEST_INTEGER,
    }),
    example: 12,
    ...UNCHANGED,
  },
  scale: {
    title: 'Scale',
    about: 'A row of numbers with words at both ends',
    attrs: ['min', 'max', 'min_text', 'max_text', 'default'],
    compares: 'amount',
    schema: ({ attrs }) => ({ enum: pointsOf(attrs), mustBe: `a number from ${describeScale(attrs)}` }),
    example: 7,
    ...UNCHANGED,
  },
  duration: {
    title: 'Time taken',
    about: 'Hours and minutes',
    compares: 'amount',
    schema: () => ({ type: 'integer', minimum: 0, maximum: LONGEST }),
    example: 5400,
    ...UNCHANGED,
  },
  decimal: {
    title: 'Decimal number',
    about: 'With a point, such as a weight or a percentage',
    attrs: ['places', 'unit', 'min', 'max', 'default'],
    compares: 'amount',
    schema: decimal,
    example: '1234.50',
    ...DECIMAL_FORMS,
  },
  money: {
    title: 'Money',
    about: 'An amount in pounds or another currency',
    attrs: ['currency', 'min', 'max', 'default'],
    compares: 'amount',
    schema: decimal,
    example: '1234.50',
    ...DECIMAL_FORMS,
  },
  year: {
    title: 'Year',
    about: 'Four digits',
    attrs: ['min', 'max', 'default'],
    compares: 'amount',
    schema: ({ attrs }) => ({
      type: 'integer',
      minimum: Math.max(1000, attrs?.min ?? 1000),
      maximum: Math.min(9999, attrs?.max ?? 9999),
      mustBe: 'a year such as 2026',
    }),
    example: 2026,
    ...UNCHANGED,
  },
  month: {
    title: 'Month',
    about: 'A month of a year',
    compares: 'amount',
    schema: () => ({
      ...like('^[1-9][0-9]{3}-(0[1-9]|1[0-2])$')(),
      mustBe: 'a month and a year such as June 2026',
      ...DATE_LIMITS,
    }),
    example: '2026-06',
    ...SPELT,
  },
  time: {
    title: 'Time of day',
    about: 'Hours and minutes of the clock',
    compares: 'amount',
    schema: () => ({ ...like('^([01][0-9]|2[0-3]):[0-5][0-9]$')(), mustBe: 'a time of day such as 14:30' }),
    example: '14:30',
    normalise: ofText(normaliseTime),
    compareKey: unchanged,
  },
  phone: {
    title: 'Telephone',
    about: 'One number',
    compares: 'text',
    schema: () => ({ ...like(PHONE)(), maxLength: MAX_PHONE_LENGTH }),
    example: '020 7946 0000',
    normalise: ofText(normalisePhone),
    compareKey: ofText(phoneKey),
  },
  postcode: {
    title: 'Postcode',
    about: 'A UK postcode',
    compares: 'text',
    schema: like(POSTCODE),
    example: 'SW1A 1AA',
    normalise: ofText(normalisePostcode),
    compareKey: ofText(codeKey),
  },
  contact: {
    title: 'Contact',
    about: 'Name, role, telephone, email',
    schema: contact,
    example: { name: 'Ann Ash', phone: '020 7946 0000', email: 'ann@example.org' },
    normalise: ofFields(() => CONTACT_PARTS, 'normalise'),
    compareKey: ofFields(() => CONTACT_PARTS, 'compareKey'),
  },
  file: {
    title: 'File',
    about: 'One document or picture',
    attrs: ['accept', 'max_size'],
    schema: fileId,
    ...UNCHANGED,
  },
  signature: {
    title: 'Signature',
    about: 'Drawn with a finger, a pen or the mouse, or typed',
    schema: fileId,
    ...UNCHANGED,
  },
  note: {
    title: 'Note',
    about: 'A text between the questions, which asks nothing',
    attrs: ['text', 'tone'],
    schema: () => ({}),
    ...UNCHANGED,
  },
  repeat: {
    title: 'Repeating rows',
    about: 'A row of fields for each person or event',
    attrs: ['min', 'max'],
    schema: (field) => ({ type: 'array', minItems: field.attrs?.min ?? 0, maxItems: mostRows(field) }),
    normalise: ofRows('normalise'),
    compareKey: ofRows('compareKey'),
  },
}

/** A value in the form in which it is stored; blank texts become ''. */
export function normaliseValue(field: Field, value: unknown): unknown {
  return FIELD_TYPES[field.type].normalise(value, field)
}

/** What is compared of a value in searches, filters and searches for duplicates. */
export function compareKey(field: Field, value: unknown): unknown {
  return FIELD_TYPES[field.type].compareKey(normaliseValue(field, value), field)
}

/** Normalises the values of some fields; others stay as they are. */
export function normaliseValues(fields: Iterable<Field>, values: Values): Values {
  const normalised = { ...values }
  for (const field of fields)
    if (Object.hasOwn(values, field.name)) normalised[field.name] = normaliseValue(field, values[field.name])
  return normalised
}

/** The form of an object with one value for each field. */
function ofFields(fieldsOf: (field: Field) => Field[], form: 'normalise' | 'compareKey'): Form {
  return (value, field) => {
    if (!isPlainObject(value)) return value
    const formed = { ...value }
    for (const one of fieldsOf(field))
      if (Object.hasOwn(value, one.name)) formed[one.name] = FIELD_TYPES[one.type][form](value[one.name], one)
    return formed
  }
}

/** The form of rows by their columns; rows beyond the limit are refused for their number. */
function ofRows(form: 'normalise' | 'compareKey'): Form {
  const ofRow = ofFields(({ fields = [] }) => fields, form)
  return (value, field) => {
    if (!Array.isArray(value)) return value
    const most = mostRows(field)
    return value.map((row, i) => (i < most ? ofRow(row, field) : row))
  }
}

/** True if people can edit a field: it is neither read-only, calculated nor hidden, and not a note. */
export function isEditable({ type, attrs }: Field): boolean {
  return type !== 'note' && !attrs?.read_only && !attrs?.calc && !attrs?.hidden
}

/** True unless a field is marked `hidden`, which forms never render. */
export function isRendered({ attrs }: Pick<Field, 'attrs'>): boolean {
  return !attrs?.hidden
}

/** Values of a yes/no field. */
export function yesNoValues({ attrs }: Pick<Field, 'attrs'>): string[] {
  return attrs?.known_only ? ['yes', 'no'] : ['yes', 'no', 'not_known']
}

/** A field's own options without retired ones. */
export function offeredOptions({ attrs }: Field): Option[] {
  return (attrs?.options ?? []).filter((option) => option.active !== false)
}

function choice({ attrs }: Field): FieldSchema {
  if (attrs?.options) return { enum: attrs.options.map((o) => o.value) }
  return { type: 'integer', minimum: 1, maximum: LARGEST_INTEGER }
}

function severalChoices(field: Field): FieldSchema {
  const exclusive = field.attrs?.options?.filter((option) => option.exclusive)
  return {
    type: 'array',
    items: choice(field),
    uniqueItems: true,
    maxItems: MOST_CHOSEN,
    ...(exclusive?.length && { exclusive }),
  }
}

function fileId(): FieldSchema {
  return { type: 'integer', minimum: 1, maximum: LARGEST_INTEGER }
}

function contact(): FieldSchema {
  return {
    type: 'object',
    additionalProperties: false,
    properties: {
      name: { type: 'string', title: 'Name', maxLength: 200 },
      role: { type: 'string', title: 'Role', maxLength: 200 },
      organisation: { type: 'string', title: 'Organisation', maxLength: 200 },
      phone: { type: 'string', title: 'Telephone', pattern: PHONE, maxLength: MAX_PHONE_LENGTH },
      email: { type: 'string', title: 'Email', pattern: EMAIL, maxLength: 254 },
    },
  }
}
