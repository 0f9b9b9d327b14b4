import type { Call } from '../call.ts'
import { note } from './audit.ts'

/** Writes down whom somebody looked for among the clients; nothing where nobody was named. */
export async function noteSearch(call: Call, term: string): Promise<void> {
  if (term.trim() === '') return
  await note(call, {
    action: 'search',
    entity: 'client',
    record: null,
    changes: { term: { from: null, to: term.trim() } },
  })
}
