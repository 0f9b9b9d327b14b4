import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv'
import addFormatsModule from 'ajv-formats'
import type { Complaint } from '../contract/judge.ts'
import type { FieldSchema } from '../contract/schema.ts'

// The package's default export is the CommonJS module where ESM is bundled.
const addFormats =
  (addFormatsModule as unknown as { default?: typeof addFormatsModule }).default ?? addFormatsModule

const ajv = new Ajv({
  strict: true,
  strictTuples: false,
  strictRequired: false,
  allErrors: true,
  ownProperties: true,
  messages: false,
})
addFormats.default ? addFormats.default(ajv) : (addFormats as unknown as (a: Ajv) => Ajv)(ajv)
ajv.addKeyword('rules')

const LIMITS = ['limit', 'pattern', 'format', 'type', 'allowedValues']
const MOST = 500
const compiled = new Map<string, ValidateFunction>()

/** What a schema has against a value, by ajv. Compiled schemas are kept by their text, the oldest given up first. */
export function ajvCheck(schema: FieldSchema, value: unknown): Complaint[] {
  const text = JSON.stringify(schema)
  let validate = compiled.get(text)
  if (!validate) {
    validate = ajv.compile(schema)
    compiled.set(text, validate)
    if (compiled.size > MOST) compiled.delete(compiled.keys().next().value!)
  }
  return validate(value) ? [] : (validate.errors ?? []).map(complaintOf)
}

function complaintOf({ instancePath, keyword, params }: ErrorObject): Complaint {
  const path = instancePath.split('/').slice(1)
  const missing = params.missingProperty ?? params.additionalProperty
  if (missing !== undefined) path.push(missing)
  const limit = LIMITS.map((key) => params[key]).find((found) => found !== undefined)
  return { path: path.join('.'), keyword, limit }
}
