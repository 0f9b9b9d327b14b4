import { sql } from 'kysely'
import type { Entity } from '../../../contract/generated.ts'
import { type RecordStatus, STATUS } from '../../../contract/status.ts'
import type { Call } from '../../core/call.ts'
import { writeAuditEvent } from '../audit/audit.ts'
import { fetch, withEmbedded } from './read.ts'

/** Makes a record active or retired, audits the change if there was one, and returns the record. */
export async function setStatus(call: Call, entity: Entity, status: RecordStatus) {
  const before = await fetch(call, entity, call.params.id)
  const { rows } = await sql<{
    version: number
  }>`update ${sql.table(entity.table!)} set status = ${status}, version = version + 1, updated_at = now()
    where id = ${before.id} and status <> ${status} returning version`.execute(call.db)
  if (!rows[0]) return withEmbedded(call, entity, before)
  const changes = { status: { from: before.status, to: status } }
  const action = status === STATUS.retired ? 'retire' : 'unretire'
  await writeAuditEvent(call, {
    action,
    entity: entity.$id,
    record: Number(before.id),
    version: rows[0].version,
    changes,
  })
  return withEmbedded(call, entity, await fetch(call, entity, before.id))
}

/** Makes the record retired; doing it twice changes nothing more. */
export function retire(call: Call, entity: Entity) {
  return setStatus(call, entity, STATUS.retired)
}

/** Makes the record active again; doing it twice changes nothing more. */
export function unretire(call: Call, entity: Entity) {
  return setStatus(call, entity, STATUS.active)
}
