import { sql } from 'kysely'
import type { Entity } from '../../../contract/generated.ts'
import type { Call } from '../../core/call.ts'
import type { Row } from '../../core/db.ts'
import { columnsOf, readFrom } from '../query/columns.ts'

/** The last record of an entity that the caller created; an empty object if there is none. */
export async function lastCreatedBy({ db, me }: Call, entity: Entity): Promise<Row> {
  const { rows } = await sql<Row>`select ${columnsOf(entity, me)} from ${readFrom(entity)} r
    where r.created_by = ${me.id} order by r.id desc limit 1`.execute(db)
  return rows[0] ?? {}
}
