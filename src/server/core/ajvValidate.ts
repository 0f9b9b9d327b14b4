import { format } from '@cfworker/json-schema'
import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv'
import { matchesPattern } from '../../contract/patterns.ts'
import type { FieldSchema } from '../../contract/typeFacts.ts'
import type { SchemaError } from '../../contract/validateAnswers.ts'
import { isPlainObject } from '../../contract/when.ts'

/** Properties of an ajv error's params that hold the limit, by precedence. */
const LIMITS = ['limit', 'pattern', 'format', 'type', 'allowedValues']
/** Maximum number of cached validators. */
const MAX_COMPILED = 2000
/** Items from which a list that exceeds maxItems is not validated further. */
const MAX_VALIDATED_ITEMS = 1000
/** True if a value is within the limit of a keyword, or of a type that it does not limit. */
type Bound = (limit: never, value: unknown) => boolean

/**
 * Keywords with a limit of the field, which are validated here: ajv takes about a millisecond to compile each of them
 * anew, so that the first save of a large form would take seconds.
 */
const BOUNDS: Record<string, Bound> = {
  minLength: (least: number, value) => typeof value !== 'string' || lengthOf(value) >= least,
  maxLength: (most: number, value) =>
    typeof value !== 'string' || value.length <= most || lengthOf(value) <= most,
  minimum: (least: number, value) => typeof value !== 'number' || value >= least,
  maximum: (most: number, value) => typeof value !== 'number' || value <= most,
  minItems: (least: number, value) => !Array.isArray(value) || value.length >= least,
  maxItems: (most: number, value) => !Array.isArray(value) || value.length <= most,
  enum: (choices: unknown[], value) => choices.includes(value),
}

/** Number of Unicode code points, as JSON Schema counts. */
function lengthOf(text: string): number {
  let length = 0
  for (const _ of text) length++
  return length
}

/** Keywords that nothing here validates: without them most fields share a schema, which is compiled once. */
const ANNOTATIONS = new Set([
  'matches',
  'title',
  'rules',
  'example',
  'requiredText',
  'checks',
  'maxWords',
  'rowLabel',
  'isCounted',
  'exclusive',
  'least',
  'most',
  'earliest',
  'yearsAhead',
  'mustBe',
])
/** Maximum number of unknown keys of one object that are reported. */
const MAX_UNKNOWN_KEYS = 20
const compiled = new Map<string, ValidateFunction>()
/** The same validators by schema object, which toSchema caches for most fields. */
let validators = new WeakMap<FieldSchema, ValidateFunction>()
let ajv = newAjv()

/**
 * Validates a value. The visible fields differ by record, so this function walks objects and rows itself, and ajv
 * validates their members with shared schemas, cached by their JSON text.
 */
export function ajvValidate(schema: FieldSchema, value: unknown): SchemaError[] {
  if (schema.properties && isPlainObject(value)) {
    const { properties, required = [], additionalProperties, ...shell } = schema
    const errors = validateWith(shell, value)
    const missing = required.filter((name) => !Object.hasOwn(value, name))
    errors.push(...missing.map((path) => ({ path, keyword: 'required' })))
    const unknown: string[] = []
    for (const [name, one] of Object.entries(value)) {
      if (!Object.hasOwn(properties, name)) unknown.push(name)
      else for (const error of ajvValidate(properties[name], one)) errors.push(below(name, error))
    }
    const refused = additionalProperties === false ? unknown.slice(0, MAX_UNKNOWN_KEYS) : []
    errors.push(...refused.map((path) => ({ path, keyword: 'additionalProperties' })))
    return errors
  }
  // A list that is far too long has only this error: each of its items might have one too.
  const maxItems = Number(schema.maxItems ?? Number.POSITIVE_INFINITY)
  if (Array.isArray(value) && value.length > Math.max(maxItems, MAX_VALIDATED_ITEMS))
    return [{ path: '', keyword: 'maxItems', limit: maxItems }]
  if (schema.items && Array.isArray(value)) {
    const { items, ...list } = schema
    const schemas = Array.isArray(items) ? items.slice(0, value.length) : value.map(() => items!)
    return [
      ...validateWith(list, value),
      ...schemas.flatMap((one, i) => ajvValidate(one!, value[i]).map((error) => below(String(i), error))),
    ]
  }
  return validateWith(schema, value)
}

function validateWith(schema: FieldSchema, value: unknown): SchemaError[] {
  const validate = validators.get(schema) ?? validatorOf(schema)
  validators.set(schema, validate)
  const errors = validate(value) ? [] : (validate.errors ?? []).map(schemaErrorOf)
  const exceeded = Object.entries(BOUNDS).flatMap(([keyword, isWithin]) => {
    const limit = schema[keyword]
    return limit === undefined || isWithin(limit as never, value) ? [] : { path: '', keyword, limit }
  })
  const all = errors[0]?.keyword === 'type' ? [...errors, ...exceeded] : [...exceeded, ...errors]
  const { matches } = schema
  if (matches !== undefined && typeof value === 'string' && !matchesPattern(matches, value))
    all.push({ path: '', keyword: 'matches', limit: matches })
  return all
}

function validatorOf(schema: FieldSchema): ValidateFunction {
  const shape = Object.fromEntries(
    Object.entries(schema).filter(
      ([keyword]) => !ANNOTATIONS.has(keyword) && !Object.hasOwn(BOUNDS, keyword),
    ),
  )
  const text = JSON.stringify(shape)
  const known = compiled.get(text)
  if (known) return known
  if (compiled.size === MAX_COMPILED) resetAjv()
  const made = ajv.compile(shape)
  compiled.set(text, made)
  return made
}

function below(name: string, error: SchemaError): SchemaError {
  return { ...error, path: error.path ? `${name}.${error.path}` : name }
}

// ajv never frees compiled schemas, so the whole instance is replaced.
function resetAjv(): void {
  compiled.clear()
  validators = new WeakMap()
  ajv = newAjv()
}

function newAjv(): Ajv {
  const made = new Ajv({
    strict: true,
    strictTuples: false,
    strictRequired: false,
    allErrors: true,
    ownProperties: true,
    messages: false,
  })
  for (const keyword of ANNOTATIONS) if (keyword !== 'title') made.addKeyword(keyword)
  // Dates have the formats of the browser's validator; ajv-formats also accepts '+0100' and 24:59:60.
  // PostgreSQL has no year 0, and fails if a view casts one from JSON.
  for (const name of ['date', 'date-time'])
    made.addFormat(name, (text: string) => format[name](text) && !text.startsWith('0000'))
  // ajv's own uniqueItems compares every pair, which takes seconds for a long list, and ignores items of the wrong
  // type.
  made.removeKeyword('uniqueItems').addKeyword({
    keyword: 'uniqueItems',
    type: 'array',
    schemaType: 'boolean',
    validate: (_: boolean, items: unknown[]) =>
      new Set(items.map((one) => JSON.stringify(one, withSortedKeys))).size === items.length,
  })
  return made
}

function schemaErrorOf({ instancePath, keyword, params }: ErrorObject): SchemaError {
  const path = instancePath.split('/').slice(1)
  const missing = params.missingProperty ?? params.additionalProperty
  if (missing !== undefined) path.push(missing)
  const limit = LIMITS.map((key) => params[key]).find((found) => found !== undefined)
  return { path: path.join('.'), keyword, limit }
}

/** Replacer for JSON.stringify that sorts the keys of every object, so that equal values have the same text. */
function withSortedKeys(_: string, value: unknown): unknown {
  if (value === null || typeof value !== 'object' || Array.isArray(value)) return value
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
}
