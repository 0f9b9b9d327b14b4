import { format } from '@cfworker/json-schema'
import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv'
import type { Complaint } from '../contract/judge.ts'
import type { FieldSchema } from '../contract/schema.ts'

const LIMITS = ['limit', 'pattern', 'format', 'type', 'allowedValues']
const MOST = 500
const compiled = new Map<string, ValidateFunction>()
let ajv = newAjv()

/** What a schema has against a value, by ajv. Compiled schemas are kept by their text, a bounded number of them. */
export function ajvCheck(schema: FieldSchema, value: unknown): Complaint[] {
  const text = JSON.stringify(schema)
  let validate = compiled.get(text)
  if (!validate) {
    if (compiled.size === MOST) startAnew()
    validate = ajv.compile(schema)
    compiled.set(text, validate)
  }
  return validate(value) ? [] : (validate.errors ?? []).map(complaintOf)
}

// An instance of ajv keeps all that it ever compiled, so all of it is given up at once.
function startAnew(): void {
  compiled.clear()
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
  made.addKeyword('rules')
  // What a date is, the browser's interpreter says; the formats made for ajv take '+0100' and 24:59:60 as well.
  for (const name of ['date', 'date-time']) made.addFormat(name, format[name])
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

function complaintOf({ instancePath, keyword, params }: ErrorObject): Complaint {
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
