import { LIMIT_KEYWORDS, limitError } from './limitError.ts'
import { lower, messageFor } from './messages.ts'
import { isLimitRule, ruleError } from './rules.ts'
import type { FieldSchema } from './typeFacts.ts'
import { type ConditionContext, getIn, holds, isPlainObject, isSet, type Values } from './when.ts'

/** An error of a JSON Schema validator: its path ('family.0.phone', the missing key included) and keyword. */
export interface SchemaError {
  path: string
  keyword: string
  limit?: unknown
}
/** A JSON Schema validator: ajv on the server, an interpreter in the browser. */
export type SchemaValidator = (schema: FieldSchema, value: unknown) => SchemaError[]
/** Messages by dotted path of the field, as in a 400 reply and in a form's errors. */
export type FieldErrors = Record<string, string[]>

/**
 * Validates answers against their schema, named rules and checks; {} if valid. `today` is YYYY-MM-DD; `around` are all
 * answers if only some are validated, and `labels` the labels of their fields. Conditions of checks also see
 * `conditionContext`. Paths whose error is a limit, which does not refuse a stored value, are added to `limitPaths`.
 */
export function validateAnswers(
  schema: FieldSchema,
  answers: Values,
  validateSchema: SchemaValidator,
  today: string,
  around: Values = answers,
  conditionContext: ConditionContext = {},
  labels?: Map<string, string>,
  limitPaths?: Set<string>,
): FieldErrors {
  const errors = new Map<string, string[]>()
  const addError = (path: string, message: string, isLimit = false) => {
    if (!isLimit) limitPaths?.delete(path)
    else if (!errors.has(path)) limitPaths?.add(path)
    if (!errors.has(path)) errors.set(path, [`${rowPrefix(schema, path)}${message}`])
  }
  for (const error of validateSchema(schema, answers)) {
    const message = messageFor(error, schemaAt(schema, error.path))
    addError(error.path, message, LIMIT_KEYWORDS.includes(error.keyword))
  }
  for (const answered of answeredFields(schema, answers, around)) {
    const { path, value, field, title, among, rowAround, titleOf } = answered
    const labelOf = (name: string) => lowered(titleOf(name) ?? labels?.get(name))
    // Rules expect a value of the right type.
    if (errors.has(path)) continue
    for (const rule of field.rules ?? []) {
      const message = ruleError(rule, value, { answers: among, today, labelOf })
      if (message) addError(path, `${title} ${message}`, isLimitRule(rule))
    }
    const limit = limitError(field, value, today)
    if (limit) addError(path, `${title} ${limit}`, true)
    const alone =
      Array.isArray(value) && value.length > 1 && field.exclusive?.find((o) => value.includes(o.value))
    if (alone) addError(path, `${title} cannot be ‘${alone.label}’ and something else as well`)
    const failed = field.checks?.find(({ when }) =>
      holds(when, { ...conditionContext, answers: around, row: rowAround }),
    )
    if (failed) addError(path, failed.message)
  }
  return Object.fromEntries(errors)
}

/** A copy without unset values (null, blank, empty lists and objects), so that 'required' means answered. */
export function withoutBlanks(values: Values): Values {
  return Object.fromEntries(
    Object.entries(values)
      .map(([key, value]) => [key, tidy(value)] as const)
      .filter(([, value]) => isSet(value) && !isEmptyObject(value)),
  )
}

function tidy(value: unknown): unknown {
  if (Array.isArray(value)) return value.map((one) => (isPlainObject(one) ? withoutBlanks(one) : one))
  return isPlainObject(value) ? withoutBlanks(value) : value
}

function isEmptyObject(value: unknown): boolean {
  return isPlainObject(value) && Object.keys(value).length === 0
}

/** The schema of the field at a dotted path below an object's schema. */
export function schemaAt(schema: FieldSchema, path: string): FieldSchema {
  const keys = path === '' ? [] : path.split('.')
  return keys.reduce<FieldSchema>((at, key) => {
    if (Array.isArray(at.items)) return at.items[Number(key)] ?? {}
    if (at.items) return at.items
    return (getIn(at.properties, [key]) as FieldSchema | undefined) ?? {}
  }, schema)
}

/** "Visit 2: " for a path in a row that has a label of its own, with those of the rows around it. */
function rowPrefix(schema: FieldSchema, path: string): string {
  if (!path.includes('.')) return ''
  const keys = path.split('.')
  return keys
    .flatMap((key, i) => {
      const { rowLabel } = /^\d+$/.test(key) ? schemaAt(schema, keys.slice(0, i).join('.')) : {}
      return rowLabel ? `${rowLabel} ${Number(key) + 1}: ` : ''
    })
    .join('')
}

function lowered(label: string | undefined): string | undefined {
  return label === undefined ? undefined : lower(label)
}

interface AnsweredField {
  path: string
  value: unknown
  field: FieldSchema
  title: string
  /** Values that rules can refer to: the answers, in a repeat those of the row. */
  among: Values
  /** The label of another field of the same form or row. */
  titleOf: (name: string) => string | undefined
  /** The values of the row, and of the row around it, which conditions of checks look in first. */
  rowAround?: Values
}

function* answeredFields(
  schema: FieldSchema,
  answers: Values,
  among: Values,
  rowAround?: Values,
  prefix = '',
): Generator<AnsweredField> {
  for (const [name, field] of Object.entries(schema.properties ?? {})) {
    const value = answers[name]
    if (!isSet(value)) continue
    const path = prefix + name
    const titleOf = (other: string) => schema.properties?.[other]?.title
    yield { path, value, field, title: field.title ?? name, among, rowAround, titleOf }
    if (!Array.isArray(field.items) || !Array.isArray(value)) continue
    for (const [i, row] of value.entries()) {
      if (isPlainObject(row) && field.items[i])
        yield* answeredFields(field.items[i], row, row, { ...rowAround, ...row }, `${path}.${i}.`)
    }
  }
}
