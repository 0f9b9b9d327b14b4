import type { FieldSchema } from '../../contract/fieldTypes.ts'
import type { SchemaError } from '../../contract/validateAnswers.ts'
import { isPlainObject } from '../../contract/when.ts'

type Matches = (expression: string, text: string) => boolean

let matches: Matches | undefined

/** Fetches what patterns are matched with, which few forms need; until then only the server validates them. */
export async function loadPatterns(): Promise<void> {
  if (matches) return
  const { matchesPattern } = await import('../../contract/patterns.ts')
  matches = (expression, text) => {
    try {
      return matchesPattern(expression, text)
    } catch {
      // Somebody is still writing it; it cannot be published like this.
      return true
    }
  }
}

/** Texts that do not match the pattern of their field. */
export function patternErrors(schema: FieldSchema, value: unknown): SchemaError[] {
  return matches ? errorsBelow(schema, value, matches, '') : []
}

function errorsBelow(schema: FieldSchema, value: unknown, matches: Matches, path: string): SchemaError[] {
  const below = (key: string | number, one: FieldSchema | undefined, within: unknown) =>
    one ? errorsBelow(one, within, matches, path ? `${path}.${key}` : String(key)) : []
  if (typeof value === 'string')
    return schema.matches === undefined || matches(schema.matches, value)
      ? []
      : [{ path, keyword: 'matches' }]
  const { properties = {}, items } = schema
  if (isPlainObject(value))
    return Object.keys(value).flatMap((key) => below(key, properties[key], value[key]))
  return Array.isArray(value) && Array.isArray(items)
    ? value.flatMap((row, i) => below(i, items[i], row))
    : []
}
