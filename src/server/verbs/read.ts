import { sql } from 'kysely'
import type { Entity } from '../../contract/generated.ts'
import { writeAuditEvent } from '../audit/audit.ts'
import type { Call } from '../call.ts'
import { columnsOf, keyOf, readFrom } from '../columns.ts'
import type { Row, Sql } from '../db.ts'
import { problem } from '../problems.ts'
import { scoped } from '../scope.ts'

/** One record; 404 also where there is one that this person may not see. Opening an audited one is written down. */
export async function read(call: Call, entity: Entity): Promise<Row> {
  const row = await fetch(call, entity, call.params.id)
  if (entity.audited)
    await writeAuditEvent(call, { action: 'open', entity: entity.$id, record: Number(call.params.id) })
  return row
}

/** The record as a reply holds it, within this person's scope; throws the 404. */
export function fetch(call: Call, entity: Entity, id: unknown): Promise<Row> {
  return fetchWhere(call, entity, id, scoped(entity, call.me))
}

/** The record without its scope: for what a handler has already validated. */
export function fetchAny(call: Call, entity: Entity, id: unknown): Promise<Row> {
  return fetchWhere(call, entity, id, sql`true`)
}

async function fetchWhere(call: Call, entity: Entity, id: unknown, where: Sql): Promise<Row> {
  const { rows } = await sql<Row>`select ${columnsOf(entity)} from ${readFrom(entity)} r
    where ${sql.ref(`r.${keyOf(entity)}`)} = ${id} and ${where}`.execute(call.db)
  if (!rows[0]) throw problem('notFound')
  return rows[0]
}
