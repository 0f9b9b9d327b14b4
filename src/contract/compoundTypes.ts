import { EMAIL } from './codes.ts'
import type { Field } from './generated.ts'
import { MAX_INTEGER } from './limits.ts'
import { mostRows } from './repeatLimits.ts'
import { CODE_TYPES, MAX_PHONE_LENGTH, PHONE, TEXT_TYPES, unchanged } from './textTypes.ts'
import type { FieldSchema, Form, OfPart, TypeFacts } from './typeFacts.ts'
import { isPlainObject, type Values } from './when.ts'

/** Fields of a contact, in the order of the form; the contract defines their validation. */
const CONTACT_PARTS: Field[] = [
  { name: 'name', label: 'Name', type: 'text' },
  { name: 'role', label: 'Role', type: 'text' },
  { name: 'organisation', label: 'Organisation', type: 'text' },
  { name: 'phone', label: 'Telephone', type: 'phone' },
  { name: 'email', label: 'Email', type: 'text', attrs: { rules: ['email'] } },
]

const line = (name: string, label: string): Field => ({
  name,
  label,
  type: 'text',
  attrs: { max_length: 200 },
})

/** Fields of a UK address, in the order of an envelope; the contract defines their validation. */
const ADDRESS_PARTS: Field[] = [
  line('line_1', 'Address line 1'),
  line('line_2', 'Address line 2 (optional)'),
  line('town', 'Town or city'),
  line('county', 'County (optional)'),
  { name: 'postcode', label: 'Postcode', type: 'postcode' },
]

const FILE = {
  schema: () => ({ type: 'integer', minimum: 1, maximum: MAX_INTEGER }),
  normalise: unchanged,
  compareKey: unchanged,
  isUnsorted: true,
  cell: 'text',
  sheet: { kind: 'none' },
} as const satisfies Partial<TypeFacts>

/** Values that are more than a text or a number: objects, files, rows; and the note, which has none. */
export const COMPOUND_TYPES = {
  contact: {
    ...withParts(CONTACT_PARTS),
    title: 'Contact',
    about: 'Name, role, telephone, email',
    schema: contact,
    example: { name: 'Ann Ash', phone: '020 7946 0000', email: 'ann@example.org' },
  },
  uk_address: {
    ...withParts(ADDRESS_PARTS),
    title: 'Address',
    about: 'In the UK, with its postcode',
    schema: address,
    example: { line_1: '10 Downing Street', town: 'London', postcode: 'SW1A 2AA' },
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

function withParts(parts: Field[]) {
  const form: Form = (value, _, ofPart) => (isPlainObject(value) ? ofFields(parts, value, ofPart) : value)
  return {
    parts,
    searches: 'text',
    isUnsorted: true,
    normalise: form,
    compareKey: form,
    cell: 'text',
    sheet: { kind: 'text' },
    paper: 'parts',
    controls: 'set',
  } as const satisfies Partial<TypeFacts>
}

/**
 * Formats each column of each row. Rows beyond the limit stay as they are: validation refuses them for their number.
 */
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
  const schemaOf = (part: Field) =>
    (part.type === 'text' ? TEXT_TYPES.text : CODE_TYPES.postcode).schema(part)
  const titled = (part: Field) => ({ ...schemaOf(part), title: part.label.replace(' (optional)', '') })
  return {
    type: 'object',
    additionalProperties: false,
    required: ['line_1', 'town', 'postcode'],
    properties: Object.fromEntries(ADDRESS_PARTS.map((part) => [part.name, titled(part)])),
  }
}
