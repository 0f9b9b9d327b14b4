import { sql } from 'kysely'
import type { Entity } from '../../../contract/generated.ts'
import type { Call } from '../../core/call.ts'
import { writeAuditEvent } from '../audit/audit.ts'
import { saveUpload } from '../files/saveFile.ts'
import { lockRow } from './lockRow.ts'
import { fetch } from './read.ts'

/** Stores the file of a multipart body as the record's `file`, deletes the previous one, and returns the record. */
export async function upload(call: Call, entity: Entity) {
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
