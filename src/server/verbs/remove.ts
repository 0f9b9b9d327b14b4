import { sql } from 'kysely'
import type { Entity } from '../../contract/types.ts'
import { note } from '../audit.ts'
import type { Call } from '../call.ts'
import { keyOf } from '../columns.ts'
import { problem } from '../problems.ts'
import { scoped } from '../scope.ts'

/** Deletes a record within the caller's scope and answers nothing. */
export async function remove(call: Call, entity: Entity) {
  const { rows } = await sql`delete from ${sql.table(entity.table!)} r
    where ${sql.ref(`r.${keyOf(entity)}`)} = ${call.params.id} and ${scoped(entity, call.me)} returning 1`.execute(
    call.db,
  )
  if (rows.length === 0) throw problem('notFound')
  await note(call, { action: 'remove', entity: entity.$id, record: Number(call.params.id) })
  call.reply.code(204)
}
