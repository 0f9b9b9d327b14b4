import { decimalPattern, placesOf } from './decimal.ts'
import type { Check, Field, FieldAttrs, FieldType, Option } from './generated.ts'
import { LARGEST_INTEGER } from './limits.ts'
import { mostRows } from './repeatLimits.ts'
import { EMAIL } from './rules.ts'
import { describeScale, pointsOf } from './scale.ts'
import { MOST_CHOSEN } from './when.ts'

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
  /** End of the error message for a value of the wrong type: 'must be …'. */
  mustBe?: string
  required?: string[]
  properties?: Record<string, FieldSchema>
  additionalProperties?: boolean
  items?: FieldSchema | FieldSchema[]
  enum?: unknown[]
  [keyword: string]: unknown
}

/** Definition of a field type; its widget is in engine/theme/theme.ts. */
interface TypeFacts {
  /** Name in the constructor, and a short description. */
  title: string
  about: string
  /** Attributes that apply to this type, besides those of every type. */
  attrs?: (keyof FieldAttrs)[]
  /** How conditions compare it; omitted: they only test whether it is answered. */
  compares?: 'choice' | 'amount' | 'text'
  /** JSON Schema of an answered value; schema.ts adds the rows of a repeat. */
  schema: (field: Field) => FieldSchema
  /** Sample answer for the preview of all types. */
  example?: unknown
}

const PHONE = '^\\+?[0-9()][0-9 ()./-]{4,24}$'
const POSTCODE = '^[A-Za-z]{1,2}[0-9][A-Za-z0-9]? ?[0-9][A-Za-z]{2}$'
/** The longest duration, 99:59, in seconds. */
export const LONGEST = (99 * 60 + 59) * 60

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
  },
  textarea: {
    title: 'Long text',
    about: 'Several lines',
    attrs: ['max_length', 'max_words', 'default'],
    schema: text(20000),
    example: 'Several\nlines',
  },
  yesno: {
    title: 'Yes or no',
    about: 'Yes, no or not known',
    attrs: ['known_only', 'default'],
    compares: 'choice',
    schema: (field) => ({ type: 'string', enum: yesNoValues(field) }),
    example: 'yes',
  },
  select: {
    title: 'One choice',
    about: 'One of several choices',
    attrs: [...CHOICES, 'radios'],
    compares: 'choice',
    schema: choice,
    example: 'green',
  },
  multiselect: {
    title: 'Several choices',
    about: 'Any of several choices',
    attrs: CHOICES,
    compares: 'choice',
    schema: severalChoices,
    example: ['red', 'blue'],
  },
  date: {
    title: 'Date',
    about: 'A day',
    attrs: ['rules', 'default'],
    compares: 'amount',
    schema: () => ({ type: 'string', format: 'date' }),
    example: '2026-06-04',
  },
  datetime: {
    title: 'Date and time',
    about: 'A day and an hour',
    attrs: ['rules'],
    schema: () => ({ type: 'string', format: 'date-time' }),
    example: '2026-06-04T09:42:00Z',
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
  },
  scale: {
    title: 'Scale',
    about: 'A row of numbers with words at both ends',
    attrs: ['min', 'max', 'min_text', 'max_text', 'default'],
    compares: 'amount',
    schema: ({ attrs }) => ({ enum: pointsOf(attrs), mustBe: `a number from ${describeScale(attrs)}` }),
    example: 7,
  },
  duration: {
    title: 'Time taken',
    about: 'Hours and minutes',
    compares: 'amount',
    schema: () => ({ type: 'integer', minimum: 0, maximum: LONGEST }),
    example: 5400,
  },
  decimal: {
    title: 'Decimal number',
    about: 'With a point, such as a weight or a percentage',
    attrs: ['places', 'unit', 'min', 'max', 'default'],
    compares: 'amount',
    schema: decimal,
    example: '1234.50',
  },
  money: {
    title: 'Money',
    about: 'An amount in pounds or another currency',
    attrs: ['currency', 'min', 'max', 'default'],
    compares: 'amount',
    schema: decimal,
    example: '1234.50',
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
  },
  month: {
    title: 'Month',
    about: 'A month of a year',
    compares: 'amount',
    schema: () => ({
      ...like('^[1-9][0-9]{3}-(0[1-9]|1[0-2])$')(),
      mustBe: 'a month and a year such as June 2026',
    }),
    example: '2026-06',
  },
  time: {
    title: 'Time of day',
    about: 'Hours and minutes of the clock',
    compares: 'amount',
    schema: () => ({ ...like('^([01][0-9]|2[0-3]):[0-5][0-9]$')(), mustBe: 'a time of day such as 14:30' }),
    example: '14:30',
  },
  phone: {
    title: 'Telephone',
    about: 'One number',
    compares: 'text',
    schema: like(PHONE),
    example: '020 7946 0000',
  },
  postcode: {
    title: 'Postcode',
    about: 'A UK postcode',
    compares: 'text',
    schema: like(POSTCODE),
    example: 'SW1A 1AA',
  },
  contact: {
    title: 'Contact',
    about: 'Name, role, telephone, email',
    schema: contact,
    example: { name: 'Ann Ash', phone: '020 7946 0000', email: 'ann@example.org' },
  },
  file: {
    title: 'File',
    about: 'One document or picture',
    attrs: ['accept', 'max_size'],
    schema: fileId,
  },
  signature: {
    title: 'Signature',
    about: 'Drawn with a finger, a pen or the mouse, or typed',
    schema: fileId,
  },
  note: {
    title: 'Note',
    about: 'A text between the questions, which asks nothing',
    attrs: ['text', 'tone'],
    schema: () => ({}),
  },
  repeat: {
    title: 'Repeating rows',
    about: 'A row of fields for each person or event',
    attrs: ['min', 'max'],
    schema: (field) => ({ type: 'array', minItems: field.attrs?.min ?? 0, maxItems: mostRows(field) }),
  },
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
      phone: { type: 'string', title: 'Telephone', pattern: PHONE },
      email: { type: 'string', title: 'Email', pattern: EMAIL, maxLength: 254 },
    },
  }
}
