import type { Call } from '../call.ts'
import { writeAuditEvent } from './audit.ts'

/** Writes down whom somebody looked for among the clients; nothing where nobody was named. */
export async function auditSearch(call: Call, term: string): Promise<void> {
  if (term.trim() === '') return
  await writeAuditEvent(call, {
    action: 'search',
    entity: 'client',
    record: null,
    changes: { term: { from: null, to: term.trim() } },
  })
}
