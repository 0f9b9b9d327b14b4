import { FIELD_TYPES, holdsRows, isQuestion } from './fieldTypes.ts'
import type { Field, Group } from './generated.ts'
import { mostRows } from './repeatLimits.ts'
import { requestedRows } from './rowSettings.ts'
import type { FieldSchema } from './typeFacts.ts'
import { evaluateRow, withRow } from './visible.ts'
import { type ConditionContext, holds, type Values } from './when.ts'

/**
 * The JSON Schema of visible groups, for rendering and for validation on both sides. Each row of a repeat has its
 * own schema, because each row hides its own fields; so the values are needed.
 */
export function toSchema(groups: Group[], conditionContext: ConditionContext): FieldSchema {
  const answers = conditionContext.answers ?? {}
  const known = prepared.get(groups)
  if (!known) {
    const fields = groups.flatMap((g) => g.fields).filter(isQuestion)
    const schema = objectSchema(fields, answers, conditionContext)
    prepared.set(groups, { schema, fields, changing: fields.filter(isChanging) })
    return schema
  }
  if (known.changing.length === 0) return known.schema
  const { properties } = objectSchema(known.changing, answers, conditionContext)
  return {
    ...known.schema,
    properties: { ...known.schema.properties, ...properties },
    required: known.fields.filter((f) => isRequired(f, conditionContext)).map((f) => f.name),
  }
}

/** Cache of the first schema of visible groups, with the fields whose schema depends on the answers. */
const prepared = new WeakMap<Group[], { schema: FieldSchema; fields: Field[]; changing: Field[] }>()

function isChanging(field: Field): boolean {
  return holdsRows(field) || field.attrs?.required_when !== undefined
}

/**
 * Cached schemas of fields other than repeats, by whether they are required; a validator is cached by the schema
 * object.
 */
const schemas = { optional: new WeakMap<Field, FieldSchema>(), required: new WeakMap<Field, FieldSchema>() }

/** JSON Schema of one field's value. */
function fieldSchema(
  field: Field,
  mustBeSet: boolean,
  value: unknown,
  conditionContext: ConditionContext,
): FieldSchema {
  if (holdsRows(field)) {
    const schema = { ...schemaOf(field, mustBeSet), ...rowsOf(field, value, conditionContext) }
    const count = requestedRows(field, conditionContext)
    if (count === undefined) return schema
    return { ...schema, minItems: count, maxItems: count, isCounted: true }
  }
  const known = schemas[mustBeSet ? 'required' : 'optional']
  const schema = known.get(field) ?? schemaOf(field, mustBeSet)
  known.set(field, schema)
  return schema
}

function schemaOf(field: Field, mustBeSet: boolean): FieldSchema {
  const schema = FIELD_TYPES[field.type].schema(field)
  schema.title = field.label
  if (field.attrs?.rules?.length) schema.rules = field.attrs.rules
  if (field.attrs?.pattern) Object.assign(schema, field.attrs.pattern)
  if (field.attrs?.checks?.length) schema.checks = field.attrs.checks
  if (field.attrs?.max_words) schema.maxWords = field.attrs.max_words
  if (field.attrs?.row_label) schema.rowLabel = field.attrs.row_label
  if (field.attrs?.required_text) schema.requiredText = field.attrs.required_text
  if (mustBeSet) {
    if (schema.type === 'string' && !schema.enum && !schema.format && !schema.pattern) schema.pattern = '\\S'
    if (schema.type === 'array') schema.minItems = Math.max(1, Number(schema.minItems ?? 0))
  }
  return schema
}

/** True if a visible field must be answered now. */
export function isRequired(field: Field, conditionContext: ConditionContext): boolean {
  const { attrs } = field
  return (
    attrs?.required === true ||
    (attrs?.rows_from !== undefined && (requestedRows(field, conditionContext) ?? 0) > 0) ||
    (attrs?.required_when !== undefined && holds(attrs.required_when, conditionContext))
  )
}

function objectSchema(fields: Field[], values: Values, conditionContext: ConditionContext): FieldSchema {
  const properties: Record<string, FieldSchema> = {}
  const required: string[] = []
  for (const field of fields.filter(isQuestion)) {
    const mustBeSet = isRequired(field, conditionContext)
    properties[field.name] = fieldSchema(field, mustBeSet, values[field.name], conditionContext)
    if (mustBeSet) required.push(field.name)
  }
  return { type: 'object', properties, required, additionalProperties: false }
}

/**
 * Schemas of the rows. Rows beyond the limit are refused for their number and have no schema, which would make
 * validation slow.
 */
function rowsOf(field: Field, value: unknown, conditionContext: ConditionContext): FieldSchema {
  const { fields = [] } = field
  const rows = Array.isArray(value) ? value.slice(0, mostRows(field)) : []
  return rows.length > 0 ? { items: rows.map((row) => rowSchema(fields, row, conditionContext)) } : {}
}

function rowSchema(fields: Field[], value: unknown, conditionContext: ConditionContext): FieldSchema {
  const row = (value !== null && typeof value === 'object' ? value : {}) as Values
  const { fields: visibleFields, values } = evaluateRow(fields, row, conditionContext)
  const schema = objectSchema(visibleFields, row, withRow(conditionContext, values))
  schema.properties!.row = { type: 'string', title: 'Row', maxLength: 40 }
  return schema
}
