import type { Field } from '../generated.ts'
import { lower } from '../messages.ts'
import { quoted } from '../quoted.ts'
import { sourceOfPath } from '../seen.ts'

const WITHOUT_FIELD = { client: "the client's", case: "the case's", last: "last time's" }

/** A value from outside within a sentence: "the client's date of birth", "last time's Risk". */
export function outsideWords(path: string, field: Field | undefined): string {
  const source = sourceOfPath(path) ?? 'case'
  if (!field) return `${WITHOUT_FIELD[source]} ${path.split('.').slice(1).join(' ').replaceAll('_', ' ')}`
  if (source === 'case') return quoted(field.label)
  return source === 'client' ? `the ${lower(field.label)}` : lower(field.label)
}
