import type { Call } from '../call.ts'
import { writeAuditEvent } from './audit.ts'

/** Audits a client search; an empty term is not audited. */
export async function auditSearch(call: Call, term: string): Promise<void> {
  if (term.trim() === '') return
  await writeAuditEvent(call, {
    action: 'search',
    entity: 'client',
    record: null,
    changes: { term: { from: null, to: term.trim() } },
  })
}
