import type { FieldSchema } from '../../../contract/typeFacts.ts'
import type { SchemaError } from '../../../contract/validateAnswers.ts'
import { isPlainObject, type Values } from '../../../contract/when.ts'

let matches: ((expression: string, text: string) => boolean) | undefined

/** Loads the pattern matcher, which few forms need; until then only the server validates patterns. */
export async function loadPatterns(): Promise<void> {
  if (matches) return
  const { matchesPattern } = await import('../../../contract/patterns.ts')
  matches = (expression, text) => {
    try {
      return matchesPattern(expression, text)
    } catch {
      // An invalid pattern is still being edited; it cannot be published.
      return true
    }
  }
}

/** Errors of texts that do not match the pattern of their field; `path` is the path of the value. */
export function patternErrors(schema: FieldSchema, value: unknown, path = ''): SchemaError[] {
  if (!matches) return []
  if (typeof value === 'string')
    return schema.matches === undefined || matches(schema.matches, value)
      ? []
      : [{ path, keyword: 'matches' }]
  const { properties, items } = schema
  // Only the items of a repeat have schemas with fields; other arrays contain choices.
  const rows = Array.isArray(value) && Array.isArray(items) ? items : []
  const schemas = isPlainObject(value) ? properties : rows
  return Object.entries(schemas ?? {}).flatMap(([key, one]) =>
    patternErrors(one, (value as Values)[key], path ? `${path}.${key}` : key),
  )
}
