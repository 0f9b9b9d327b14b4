import type { ErrorSchema } from '@rjsf/utils'
import type { FieldErrors } from '../../contract/validateAnswers.ts'

/** Messages by dotted path as rjsf takes them; of several messages about a field the first counts. */
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
