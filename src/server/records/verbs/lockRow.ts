import { sql } from 'kysely'
import type { Entity } from '../../../contract/generated.ts'
import type { Call } from '../../core/call.ts'
import { problem } from '../../core/problems.ts'
import { keyOf } from '../query/columns.ts'

/** Locks the path's record against changes until the transaction ends; throws the 404 if it does not exist. */
export async function lockRow({ db, params }: Call, entity: Entity): Promise<void> {
  const { rows } = await sql`select 1 from ${sql.table(entity.table!)}
    where ${sql.ref(keyOf(entity))} = ${params.id} for update`.execute(db)
  if (!rows[0]) throw problem('notFound')
}
