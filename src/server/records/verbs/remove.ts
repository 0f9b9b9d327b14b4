import { sql } from 'kysely'
import type { Entity } from '../../../contract/generated.ts'
import type { Call } from '../../core/call.ts'
import { writeAuditEvent } from '../audit/audit.ts'
import { keyOf } from '../query/columns.ts'
import { lockRow } from './lockRow.ts'
import { fetch } from './read.ts'

/** Deletes a visible record with its files; the reply is a 204. */
export async function remove(call: Call, entity: Entity) {
  const record = Number(call.params.id)
  await lockRow(call, entity)
  await fetch(call, entity, record)
  // Audit first: the trigger that adds client and case needs the row.
  await writeAuditEvent(call, { action: 'remove', entity: entity.$id, record })
  await sql`delete from ${sql.table(entity.table!)} where ${sql.ref(keyOf(entity))} = ${record}`.execute(
    call.db,
  )
  await sql`delete from files where entity = ${entity.$id} and record = ${record}`.execute(call.db)
  call.reply.code(204)
}
