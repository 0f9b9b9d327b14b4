import { sql } from 'kysely'
import type { Call } from '../call.ts'
import type { Db, Sql } from '../db.ts'

export type Changes = Record<string, { from: unknown; to: unknown }>
interface Deed {
  action: string
  entity: string
  /** null where the deed is about many. */
  record: number | null
  version?: number
  changes?: Changes
}

/** Writes down who did what, in the transaction of the deed itself. */
export function note({ db, me, request }: Call, deed: Deed): Promise<void> {
  return write(db, deed, me.id, request.id)
}

/** Writes down what nobody did, because its time had come. */
export function noteOfSystem(db: Db, deed: Deed): Promise<void> {
  return write(db, deed, null, null)
}

async function write(
  db: Db,
  { action, entity, record, version, changes }: Deed,
  staff: number | null,
  request: string | null,
): Promise<void> {
  await sql`insert into audit (staff, action, entity, record, version, changes, request)
    values (${staff}, ${action}, ${entity}, ${record}, ${version ?? null}, ${changes ? JSON.stringify(changes) : null}, ${request})`.execute(
    db,
  )
}

/** Deletes entries of the audit, and the kept replies of the requests that they were written by. */
export async function forget(db: Db, where: Sql): Promise<void> {
  await sql`delete from idempotency where request in (select request from audit where ${where})`.execute(db)
  await sql`delete from audit where ${where}`.execute(db)
}

/** What one save changed, by whom and when (ISO). */
export interface Change {
  fields: Changes
  by: string
  at: string
}

/** What others changed in a record after a version, newest last, with who and when. */
export async function changesSince(
  { db }: Call,
  entity: string,
  record: number,
  version: number,
): Promise<Change[]> {
  const { rows } = await sql<{ changes: Changes; by: string; at: Date }>`
    select a.changes, coalesce(trim(s.first_name || ' ' || s.last_name), 'The system') as by, a.at from audit a left join staff s on s.id = a.staff
    where a.entity = ${entity} and a.record = ${record} and a.version > ${version} and a.changes is not null order by a.version`.execute(
    db,
  )
  return rows.map(({ changes, by, at }) => ({ fields: changes, by, at: at.toISOString() }))
}
