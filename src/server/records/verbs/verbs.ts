import { sql } from 'kysely'
import type { Verb } from '../../../contract/call.ts'
import type { Entity } from '../../../contract/generated.ts'
import { type RecordStatus, STATUS } from '../../../contract/status.ts'
import type { Call, VerbHandler } from '../../core/call.ts'
import type { ReplyOf } from '../../core/typedRows.ts'
import { writeAuditEvent } from '../audit/audit.ts'
import { saveUpload } from '../files/saveFile.ts'
import { create } from './create.ts'
import { figures } from './figures.ts'
import { list } from './list.ts'
import { lockRow } from './lockRow.ts'
import { fetch, read, withEmbedded } from './read.ts'
import { remove } from './remove.ts'
import { search } from './search.ts'
import { update } from './update.ts'

/** The generic operations by the verb of a descriptor. */
export const VERB_HANDLERS: Record<Verb, VerbHandler> = {
  list,
  search,
  figures,
  read,
  create,
  update,
  remove,
  retire,
  unretire,
  upload,
}

/** Makes a record active or retired, audits the change if there was one, and returns the record. */
async function setStatus<E extends Entity>(call: Call, entity: E, status: RecordStatus): Promise<ReplyOf<E>> {
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
function retire(call: Call, entity: Entity) {
  return setStatus(call, entity, STATUS.retired)
}

/** Makes the record active again; doing it twice changes nothing more. */
function unretire(call: Call, entity: Entity) {
  return setStatus(call, entity, STATUS.active)
}

/** Stores the file of a multipart body as the record's `file`, deletes the previous one, and returns the record. */
async function upload(call: Call, entity: Entity) {
  const record = Number(call.params.id)
  await lockRow(call, entity)
  const before = await fetch(call, entity, record)
  const file = await saveUpload(call, { entity: entity.$id, record })
  const { rows } = await sql<{ version: number }>`update ${sql.table(entity.table!)}
    set file = ${file.id}, version = version + 1, updated_at = now() where id = ${record} returning version`.execute(
    call.db,
  )
  await sql`delete from files where id = ${before.file}`.execute(call.db)
  const changes = { file: { from: before.file, to: file.id } }
  await writeAuditEvent(call, {
    action: 'update',
    entity: entity.$id,
    record,
    version: rows[0].version,
    changes,
  })
  return fetch(call, entity, record)
}
