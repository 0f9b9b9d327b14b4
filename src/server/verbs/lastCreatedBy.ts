import { sql } from 'kysely'
import type { Entity } from '../../contract/generated.ts'
import type { Call } from '../call.ts'
import { columnsOf, readFrom } from '../columns.ts'
import type { Row } from '../db.ts'

/** The record of an entity that the caller made last; an empty one where there is none. */
export async function lastCreatedBy({ db, me }: Call, entity: Entity): Promise<Row> {
  const { rows } = await sql<Row>`select ${columnsOf(entity, me)} from ${readFrom(entity)} r
    where r.created_by = ${me.id} order by r.id desc limit 1`.execute(db)
  return rows[0] ?? {}
}
