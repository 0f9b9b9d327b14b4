import { FIELD_TYPES, type FieldSchema, MOST_ROWS } from './fieldTypes.ts'
import type { Field, Group } from './generated.ts'
import { evaluateRow } from './visible.ts'
import { type ConditionContext, holds, type Values } from './when.ts'

/**
 * The JSON Schema of visible groups, for rendering and for validation on both sides. Each row of a repeat has its
 * own schema, because each row hides its own fields; so the values are needed.
 */
export function toSchema(groups: Group[], conditionContext: ConditionContext): FieldSchema {
  return objectSchema(
    groups.flatMap((g) => g.fields),
    conditionContext.answers ?? {},
    conditionContext,
  )
}

/** Schemas of fields that are no repeats, by whether they are required; a validator is cached by the schema object. */
const schemas = { optional: new WeakMap<Field, FieldSchema>(), required: new WeakMap<Field, FieldSchema>() }

/** The schema of one field's value: what it must be once it is set. */
function fieldSchema(field: Field, value: unknown, conditionContext: ConditionContext): FieldSchema {
  const mustBeSet = isRequired(field, conditionContext)
  if (field.type === 'repeat')
    return { ...schemaOf(field, mustBeSet), ...rowsOf(field, value, conditionContext) }
  const known = schemas[mustBeSet ? 'required' : 'optional']
  const schema = known.get(field) ?? schemaOf(field, mustBeSet)
  known.set(field, schema)
  return schema
}

function schemaOf(field: Field, mustBeSet: boolean): FieldSchema {
  const schema = FIELD_TYPES[field.type].schema(field)
  schema.title = field.label
  if (field.attrs?.rules?.length) schema.rules = field.attrs.rules
  if (field.attrs?.checks?.length) schema.checks = field.attrs.checks
  if (field.attrs?.max_words) schema.maxWords = field.attrs.max_words
  if (field.attrs?.required_text) schema.requiredText = field.attrs.required_text
  if (mustBeSet) {
    if (schema.type === 'string' && !schema.enum && !schema.format && !schema.pattern) schema.pattern = '\\S'
    if (schema.type === 'array') schema.minItems = Math.max(1, Number(schema.minItems ?? 0))
  }
  return schema
}

/** Whether a field that is shown must be answered now. */
export function isRequired({ attrs }: Field, conditionContext: ConditionContext): boolean {
  return (
    attrs?.required === true ||
    (attrs?.required_when !== undefined && holds(attrs.required_when, conditionContext))
  )
}

/** A note has none, whatever is said of it. */
function hasValue({ type }: Field): boolean {
  return type !== 'note'
}

function objectSchema(fields: Field[], values: Values, conditionContext: ConditionContext): FieldSchema {
  const properties: Record<string, FieldSchema> = {}
  for (const field of fields.filter(hasValue))
    properties[field.name] = fieldSchema(field, values[field.name], conditionContext)
  return {
    type: 'object',
    properties,
    required: fields.filter((f) => hasValue(f) && isRequired(f, conditionContext)).map((f) => f.name),
    additionalProperties: false,
  }
}

/** Rows beyond the limit are refused by their number alone: a schema for each would make validation slow. */
function rowsOf(
  { fields = [], attrs }: Field,
  value: unknown,
  conditionContext: ConditionContext,
): FieldSchema {
  const kept = Array.isArray(value) ? value.slice(0, attrs?.max ?? MOST_ROWS) : []
  return kept.length > 0 ? { items: kept.map((row) => rowSchema(fields, row, conditionContext)) } : {}
}

function rowSchema(fields: Field[], value: unknown, conditionContext: ConditionContext): FieldSchema {
  const row = (value !== null && typeof value === 'object' ? value : {}) as Values
  const { fields: visibleFields, values } = evaluateRow(fields, row, conditionContext)
  const inRow = { ...conditionContext, answers: { ...conditionContext.answers, ...values } }
  const schema = objectSchema(visibleFields, row, inRow)
  schema.properties!.row = { type: 'string', title: 'Row', maxLength: 40 }
  return schema
}
