import { isPlainObject } from '../contract/when.ts'

type Schema = Record<string, unknown>

/** A placeholder that a text or an address can have, such as {name} or {$client.dob}. */
export const PLACEHOLDER = /\{\$?[\w.]+\}/

/** Keywords whose values are no schemas. */
const DATA = ['const', 'default', 'description', 'enum', 'examples', 'required']
/** Keywords that say themselves what a text looks like. */
const SHAPES = ['const', 'enum', 'format', 'pattern', 'not']

/** A meta-schema that refuses placeholders in texts whose description names none: people would read the braces. */
export function refusePlaceholders(schema: Schema): Schema {
  const parts = Object.entries(schema).map(([key, part]) => [key, DATA.includes(key) ? part : within(part)])
  const refusing: Schema = Object.fromEntries(parts)
  const isPlainText = schema.type === 'string' && !SHAPES.some((key) => key in schema)
  return isPlainText && !PLACEHOLDER.test(String(schema.description))
    ? { ...refusing, not: { pattern: PLACEHOLDER.source } }
    : refusing
}

function within(part: unknown): unknown {
  if (Array.isArray(part)) return part.map(within)
  return isPlainObject(part) ? refusePlaceholders(part) : part
}
