import { format } from '@cfworker/json-schema'
import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv'
import type { FieldSchema } from '../../contract/fieldTypes.ts'
import { matchesPattern } from '../../contract/patterns.ts'
import type { SchemaError } from '../../contract/validateAnswers.ts'
import { isPlainObject } from '../../contract/when.ts'

const LIMITS = ['limit', 'pattern', 'format', 'type', 'allowedValues']
const MOST = 2000
const LONGEST_LIST = 1000
/** What is no matter of ajv: without these most fields have one schema, which is compiled once. */
const WORDS = new Set([
  'title',
  'rules',
  'example',
  'requiredText',
  'checks',
  'maxWords',
  'exclusive',
  'least',
  'most',
  'mustBe',
])
/** Unknown keys of one object that are reported. */
const MOST_UNKNOWN = 20
const compiled = new Map<string, ValidateFunction>()
/** The same by the schema object, which toSchema caches for most fields. */
let validators = new WeakMap<FieldSchema, ValidateFunction>()
let ajv = newAjv()

/**
 * Validates a value. Which fields are visible differs by record, so objects and rows are walked here, and ajv
 * validates their members by shared schemas, cached by their JSON text.
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
    const refused = additionalProperties === false ? unknown.slice(0, MOST_UNKNOWN) : []
    errors.push(...refused.map((path) => ({ path, keyword: 'additionalProperties' })))
    return errors
  }
  // Of a list that is far too long nothing more is told: each of its items might have an error of its own.
  const most = Number(schema.maxItems ?? Number.POSITIVE_INFINITY)
  if (Array.isArray(value) && value.length > Math.max(most, LONGEST_LIST))
    return [{ path: '', keyword: 'maxItems', limit: most }]
  if (Array.isArray(schema.items) && Array.isArray(value)) {
    const { items, ...list } = schema as FieldSchema & { items: FieldSchema[] }
    const rows = items.slice(0, value.length)
    return [
      ...validateWith(list, value),
      ...rows.flatMap((row, i) => ajvValidate(row, value[i]).map((error) => below(String(i), error))),
    ]
  }
  return validateWith(schema, value)
}

function validateWith(schema: FieldSchema, value: unknown): SchemaError[] {
  const validate = validators.get(schema) ?? validatorOf(schema)
  validators.set(schema, validate)
  return validate(value) ? [] : (validate.errors ?? []).map(schemaErrorOf)
}

function validatorOf(schema: FieldSchema): ValidateFunction {
  const shape = Object.fromEntries(Object.entries(schema).filter(([keyword]) => !WORDS.has(keyword)))
  const text = JSON.stringify(shape)
  const known = compiled.get(text)
  if (known) return known
  if (compiled.size === MOST) startAnew()
  const made = ajv.compile(shape)
  compiled.set(text, made)
  return made
}

function below(name: string, error: SchemaError): SchemaError {
  return { ...error, path: error.path ? `${name}.${error.path}` : name }
}

// ajv never frees compiled schemas, so the whole instance is replaced.
function startAnew(): void {
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
  for (const keyword of WORDS) if (keyword !== 'title') made.addKeyword(keyword)
  made.addKeyword({ keyword: 'matches', type: 'string', schemaType: 'string', validate: matchesPattern })
  // What a date is, the browser's interpreter says; the formats made for ajv take '+0100' and 24:59:60 as well.
  // PostgreSQL has no year 0, and fails where a view reads one out of JSON.
  for (const name of ['date', 'date-time'])
    made.addFormat(name, (text: string) => format[name](text) && !text.startsWith('0000'))
  // ajv's own compares every pair, seconds for a long list, and passes over items of the wrong kind.
  made.removeKeyword('uniqueItems').addKeyword({
    keyword: 'uniqueItems',
    type: 'array',
    schemaType: 'boolean',
    validate: (_: boolean, items: unknown[]) =>
      new Set(items.map((one) => JSON.stringify(one, inOrder))).size === items.length,
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

/** For JSON.stringify: the keys of every object in one order, so that the same value gives the same text. */
function inOrder(_: string, value: unknown): unknown {
  if (value === null || typeof value !== 'object' || Array.isArray(value)) return value
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
}
