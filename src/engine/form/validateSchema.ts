import { type Schema, validate } from '@cfworker/json-schema'
import type { SchemaError, SchemaValidator } from '../../contract/validateAnswers.ts'
import { getIn } from '../../contract/when.ts'

// The interpreter also tells which schemas hold a failing one; a person needs what failed itself.
const HOLDERS = new Set(['properties', 'items', 'additionalItems', 'false'])

/** What a schema has against a value, by an interpreter: a strict content policy forbids compiled validators. */
export const validateSchema: SchemaValidator = (schema, value) => {
  // No schema of ours refers to another, so the table of references, the costly part, stays empty.
  const { errors } = validate(value, schema as Schema, '7', {}, false)
  return errors
    .filter(({ keyword }) => !HOLDERS.has(keyword))
    .map(({ instanceLocation, keyword, keywordLocation, error }) => {
      const path = partsOf(instanceLocation)
      if (keyword === 'required' || keyword === 'additionalProperties') path.push(quoted(error))
      const limit = getIn(schema, partsOf(keywordLocation))
      const schemaError: SchemaError = { path: path.join('.'), keyword }
      if (keyword !== 'required') schemaError.limit = limit
      return schemaError
    })
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
