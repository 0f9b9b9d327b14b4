import type { Call } from '../call.ts'
import { writeAuditEvent } from './audit.ts'

/** Audits a search for records of an entity and what it was for, by filter; an empty text is not audited. */
export async function auditSearch(call: Call, entity: string, filters: Call['query']): Promise<void> {
  const texts = Object.entries(filters).map(([name, value]) => [
    name,
    typeof value === 'string' ? value.trim() : value,
  ])
  const set = texts.filter(([, value]) => value !== '')
  if (set.length === 0) return
  const changes = Object.fromEntries(set.map(([name, value]) => [name, { from: null, to: value }]))
  await writeAuditEvent(call, { action: 'search', entity, record: null, changes })
}
