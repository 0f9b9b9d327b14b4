import { CONTACT_PARTS } from './contactParts.ts'
import type { Field } from './generated.ts'
import { LARGEST_INTEGER } from './limits.ts'
import { mostRows } from './repeatLimits.ts'
import { EMAIL } from './rules.ts'
import { MAX_PHONE_LENGTH, PHONE, unchanged } from './textTypes.ts'
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
    normalise: ofParts,
    compareKey: ofParts,
    example: { name: 'Ann Ash', phone: '020 7946 0000', email: 'ann@example.org' },
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
    attrs: ['min', 'max'],
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

function ofParts(value: unknown, _: Field, ofPart: OfPart): unknown {
  return isPlainObject(value) ? ofFields(CONTACT_PARTS, value, ofPart) : value
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
