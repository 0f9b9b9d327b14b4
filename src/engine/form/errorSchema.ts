import type { ErrorSchema } from '@rjsf/utils'
import type { FieldErrors } from '../../contract/judge.ts'
import { join, setAt } from './paths.ts'

/** Messages by dotted path as rjsf takes them; of several messages about a field the first counts. */
export function errorSchemaOf(errors: FieldErrors): ErrorSchema {
  let schema: ErrorSchema = {}
  for (const [path, messages] of Object.entries(errors)) {
    schema = setAt(schema, join(path, '__errors'), messages.slice(0, 1))
  }
  return schema
}
