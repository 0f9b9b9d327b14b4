import { type Schema, validate } from '@cfworker/json-schema'
import { type ErrorSchema, toErrorList, type ValidatorType } from '@rjsf/utils'
import type { FieldSchema } from '../../../contract/typeFacts.ts'
import {
  type FieldErrors,
  type SchemaError,
  type SchemaValidator,
  validateAnswers,
  withoutBlanks,
} from '../../../contract/validateAnswers.ts'
import { getIn, type Values } from '../../../contract/when.ts'
import { today } from '../../core/today.ts'
import { patternErrors } from './patternErrors.ts'

/** rjsf's validator: the same messages as on the server, and no generated code (the CSP forbids eval). */
export const validator: ValidatorType<Values> = {
  validateFormData(values, schema) {
    const errors = validateAnswers(
      schema as FieldSchema,
      withoutBlanks(values ?? {}),
      validateSchema,
      today(),
    )
    const errorSchema = errorSchemaOf(errors)
    return { errors: toErrorList(errorSchema), errorSchema }
  },
  isValid: (schema, values) => validateSchema(schema as FieldSchema, values ?? {}).length === 0,
  rawValidation: (schema, values) => ({
    errors: validateSchema(schema as FieldSchema, values ?? {}) as never[],
  }),
}

// The interpreter also reports the parent schemas of an error; only the leaf errors are used.
const PARENT_KEYWORDS = new Set(['properties', 'items', 'additionalItems', 'false'])

/** Validates a value by an interpreter, because the Content-Security-Policy forbids compiled validators. */
export const validateSchema: SchemaValidator = (schema, value) => {
  // No schema of ours has references, so the lookup table, which is slow to build, stays empty.
  const { errors } = validate(value, schema as Schema, '7', {}, false)
  const schemaErrors = errors
    .filter(({ keyword }) => !PARENT_KEYWORDS.has(keyword))
    .map(({ instanceLocation, keyword, keywordLocation, error }) => {
      const path = partsOf(instanceLocation)
      if (keyword === 'required' || keyword === 'additionalProperties') path.push(quoted(error))
      const limit = getIn(schema, partsOf(keywordLocation))
      const schemaError: SchemaError = { path: path.join('.'), keyword }
      if (keyword !== 'required') schemaError.limit = limit
      return schemaError
    })
  return [...schemaErrors, ...patternErrors(schema, value)]
}

function partsOf(pointer: string): string[] {
  return pointer
    .split('/')
    .slice(1)
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'))
}

function quoted(text: string): string {
  return text.slice(text.indexOf('"') + 1, text.lastIndexOf('"'))
}

/** Converts errors by dotted path to rjsf's format, with only the first message of each field. */
export function errorSchemaOf(errors: FieldErrors): ErrorSchema {
  const schema: ErrorSchema = {}
  for (const [path, messages] of Object.entries(errors)) {
    let at: Record<string, ErrorSchema> = schema as Record<string, ErrorSchema>
    for (const part of path.split('.')) {
      at[part] ??= {}
      at = at[part] as Record<string, ErrorSchema>
    }
    ;(at as ErrorSchema).__errors = messages.slice(0, 1)
  }
  return schema
}
