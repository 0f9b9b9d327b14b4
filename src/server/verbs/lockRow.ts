import { sql } from 'kysely'
import type { Entity } from '../../contract/generated.ts'
import type { Call } from '../call.ts'
import { keyOf } from '../columns.ts'
import { problem } from '../problems.ts'

/** Makes others who change or delete the path's record wait for this transaction; throws the 404 where it is gone. */
export async function lockRow({ db, params }: Call, entity: Entity): Promise<void> {
  const { rows } = await sql`select 1 from ${sql.table(entity.table!)}
    where ${sql.ref(keyOf(entity))} = ${params.id} for update`.execute(db)
  if (!rows[0]) throw problem('notFound')
}
