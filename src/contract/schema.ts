import { EMAIL } from './rules.ts'
import type { Field, Group } from './types.ts'
import { visibleRow } from './visible.ts'
import { holds, type Scope, type Values } from './when.ts'

/** A plain JSON Schema (draft 7) plus `title` and the named `rules`, without conditionals. */
export interface FieldSchema {
  type?: string
  title?: string
  rules?: string[]
  required?: string[]
  properties?: Record<string, FieldSchema>
  additionalProperties?: boolean
  items?: FieldSchema | FieldSchema[]
  enum?: unknown[]
  [keyword: string]: unknown
}

type ToSchema = (field: Field, value: unknown, scope: Scope) => FieldSchema

const TYPES: Record<Field['type'], ToSchema> = {
  text: ({ attrs }) => ({ type: 'string', maxLength: attrs?.max_length ?? 500 }),
  textarea: ({ attrs }) => ({ type: 'string', maxLength: attrs?.max_length ?? 20000 }),
  date: () => ({ type: 'string', format: 'date' }),
  datetime: () => ({ type: 'string', format: 'date-time' }),
  integer: ({ attrs }) => ({
    type: 'integer',
    minimum: attrs?.min ?? -2147483648,
    maximum: attrs?.max ?? 2147483647,
  }),
  yesno: () => ({ type: 'string', enum: ['yes', 'no', 'not_known'] }),
  select: (field) => choice(field),
  multiselect: (field) => ({ type: 'array', items: choice(field), uniqueItems: true, maxItems: 500 }),
  contact: () => ({
    type: 'object',
    additionalProperties: false,
    properties: {
      name: { type: 'string', title: 'Name', maxLength: 200 },
      role: { type: 'string', title: 'Role', maxLength: 200 },
      organisation: { type: 'string', title: 'Organisation', maxLength: 200 },
      phone: { type: 'string', title: 'Telephone', pattern: PHONE },
      email: { type: 'string', title: 'Email', pattern: EMAIL, maxLength: 254 },
    },
  }),
  phone: () => ({ type: 'string', pattern: PHONE }),
  postcode: () => ({ type: 'string', pattern: POSTCODE }),
  duration: () => ({ type: 'integer', minimum: 0, maximum: LONGEST }),
  file: () => ({ type: 'integer', minimum: 1, maximum: 2147483647 }),
  repeat: ({ fields = [], attrs }, value, scope) => {
    const most = attrs?.max ?? 100
    // Rows beyond the limit are refused by their number alone: a schema for each would cost whoever judges them dear.
    const rows = Array.isArray(value) ? value.slice(0, most).map((row) => rowSchema(fields, row, scope)) : []
    return {
      type: 'array',
      minItems: attrs?.min ?? 0,
      maxItems: most,
      ...(rows.length > 0 && { items: rows }),
    }
  },
}

const PHONE = '^\\+?[0-9()][0-9 ()./-]{4,24}$'
const POSTCODE = '^[A-Za-z]{1,2}[0-9][A-Za-z0-9]? ?[0-9][A-Za-z]{2}$'
/** The longest duration, 99:59, in seconds. */
export const LONGEST = (99 * 60 + 59) * 60

/**
 * The JSON Schema of visible groups, for the renderer and for the judge on both sides of the wire. Rows of a repeat
 * have each their own schema, because each row hides its own fields; so the values are needed.
 */
export function toSchema(groups: Group[], scope: Scope): FieldSchema {
  return objectSchema(
    groups.flatMap((g) => g.fields),
    scope.answers ?? {},
    scope,
  )
}

/** The schema of one field's value: what it must be once it is set. */
function fieldSchema(field: Field, value: unknown, scope: Scope): FieldSchema {
  const schema = TYPES[field.type](field, value, scope)
  schema.title = field.label
  if (field.attrs?.rules?.length) schema.rules = field.attrs.rules
  if (isRequired(field, scope)) {
    if (schema.type === 'string' && !schema.enum && !schema.format && !schema.pattern) schema.pattern = '\\S'
    if (schema.type === 'array') schema.minItems = Math.max(1, Number(schema.minItems ?? 0))
  }
  return schema
}

/** Whether a field that is shown must be answered now. */
export function isRequired({ attrs }: Field, scope: Scope): boolean {
  return attrs?.required === true || (attrs?.required_when !== undefined && holds(attrs.required_when, scope))
}

function objectSchema(fields: Field[], values: Values, scope: Scope): FieldSchema {
  const properties: Record<string, FieldSchema> = {}
  for (const field of fields) properties[field.name] = fieldSchema(field, values[field.name], scope)
  return {
    type: 'object',
    properties,
    required: fields.filter((f) => isRequired(f, scope)).map((f) => f.name),
    additionalProperties: false,
  }
}

function rowSchema(fields: Field[], value: unknown, scope: Scope): FieldSchema {
  const row = (value !== null && typeof value === 'object' ? value : {}) as Values
  const inRow = { ...scope, answers: { ...scope.answers, ...row } }
  const schema = objectSchema(visibleRow(fields, row, scope), row, inRow)
  schema.properties!.row = { type: 'string', title: 'Row', maxLength: 40 }
  return schema
}

function choice({ attrs }: Field): FieldSchema {
  if (attrs?.options) return { enum: attrs.options.map((o) => o.value) }
  return { type: 'integer', minimum: 1, maximum: 2147483647 }
}
