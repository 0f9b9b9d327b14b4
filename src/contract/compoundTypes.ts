import { ADDRESS_PARTS } from './addressParts.ts'
import { CONTACT_PARTS } from './contactParts.ts'
import type { Field } from './generated.ts'
import { LARGEST_INTEGER } from './limits.ts'
import { mostRows } from './repeatLimits.ts'
import { EMAIL } from './rules.ts'
import { MAX_PHONE_LENGTH, PHONE, POSTCODE, unchanged } from './textTypes.ts'
import type { FieldSchema, Form, OfPart, TypeFacts } from './typeFacts.ts'
import { isPlainObject, type Values } from './when.ts'

const FILE = {
  schema: () => ({ type: 'integer', minimum: 1, maximum: LARGEST_INTEGER }),
  normalise: unchanged,
  compareKey: unchanged,
  isUnsorted: true,
  cell: 'text',
  sheet: { kind: 'none' },
} as const satisfies Partial<TypeFacts>

/** Values that are more than a text or a number: objects, files, rows; and the note, which has none. */
export const COMPOUND_TYPES = {
  contact: {
    title: 'Contact',
    about: 'Name, role, telephone, email',
    parts: CONTACT_PARTS,
    searches: 'text',
    isUnsorted: true,
    schema: contact,
    normalise: ofParts(CONTACT_PARTS),
    compareKey: ofParts(CONTACT_PARTS),
    example: { name: 'Ann Ash', phone: '020 7946 0000', email: 'ann@example.org' },
    cell: 'text',
    sheet: { kind: 'text' },
    paper: 'parts',
    controls: 'set',
  },
  uk_address: {
    title: 'Address',
    about: 'Lines, town, county and postcode of an address in the UK',
    parts: ADDRESS_PARTS,
    searches: 'text',
    isUnsorted: true,
    schema: address,
    normalise: ofParts(ADDRESS_PARTS),
    compareKey: ofParts(ADDRESS_PARTS),
    example: { line_1: '10 Downing Street', town: 'London', postcode: 'SW1A 2AA' },
    cell: 'text',
    sheet: { kind: 'text' },
    paper: 'parts',
    controls: 'set',
  },
  file: {
    ...FILE,
    title: 'File',
    about: 'One document or picture',
    attrs: ['accept', 'max_size'],
    holdsFile: 'uploaded',
    words: () => 'a file',
    paper: 'attachment',
  },
  signature: {
    ...FILE,
    title: 'Signature',
    about: 'Drawn with a finger, a pen or the mouse, or typed',
    holdsFile: 'drawn',
    words: () => 'signed',
    paper: 'signature',
    controls: 'set',
  },
  note: {
    title: 'Note',
    about: 'A text between the questions, which asks nothing',
    attrs: ['text', 'tone'],
    asksNothing: true,
    schema: () => ({}),
    normalise: unchanged,
    compareKey: unchanged,
    cell: 'text',
    sheet: { kind: 'none' },
    paper: 'nothing',
  },
  repeat: {
    title: 'Repeating rows',
    about: 'A row of fields for each person or event',
    attrs: ['min', 'max', 'row_label', 'sort_by', 'sort_down', 'rows_from'],
    holdsRows: true,
    isUnsorted: true,
    schema: (field) => ({ type: 'array', minItems: field.attrs?.min ?? 0, maxItems: mostRows(field) }),
    normalise: ofRows,
    compareKey: ofRows,
    cell: 'text',
    sheet: { kind: 'none' },
    paper: 'rows',
    controls: 'set',
  },
} satisfies Record<string, TypeFacts>

/** The form of an object with these parts. */
function ofParts(parts: Field[]): Form {
  return (value, _, ofPart: OfPart) => (isPlainObject(value) ? ofFields(parts, value, ofPart) : value)
}

/** Rows by their columns; rows beyond the limit are refused for their number. */
function ofRows(value: unknown, field: Field, ofPart: OfPart): ReturnType<Form> {
  if (!Array.isArray(value)) return value
  const most = mostRows(field)
  return value.map((row, i) =>
    i < most && isPlainObject(row) ? ofFields(field.fields ?? [], row, ofPart) : row,
  )
}

/** The form of an object with one value for each field. */
function ofFields(fields: Field[], value: Values, ofPart: OfPart): Values {
  const formed = { ...value }
  for (const field of fields)
    if (Object.hasOwn(value, field.name)) formed[field.name] = ofPart(value[field.name], field)
  return formed
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

function address(): FieldSchema {
  const line = (title: string, maxLength: number) => ({ type: 'string', title, maxLength })
  return {
    type: 'object',
    additionalProperties: false,
    required: ['line_1', 'town', 'postcode'],
    properties: {
      line_1: line('Address line 1', 200),
      line_2: line('Address line 2', 200),
      town: line('Town or city', 100),
      county: line('County', 100),
      postcode: {
        type: 'string',
        title: 'Postcode',
        pattern: POSTCODE,
        mustBe: 'a UK postcode such as SW1A 1AA',
      },
    },
  }
}
