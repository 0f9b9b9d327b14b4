import type { Call } from '../../core/call.ts'
import { writeAuditEvent } from './audit.ts'

/** Writes the audit event of a search with its filters, without empty texts; none if all are empty. */
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
