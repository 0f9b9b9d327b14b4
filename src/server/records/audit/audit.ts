import { sql } from 'kysely'
import type { Call } from '../../core/call.ts'
import type { Db, Sql } from '../../core/db.ts'

/**
 * The old and new value of each changed field; `moved` marks an answer that began or ceased to count and is otherwise
 * the same. `last` are the records that an answer follows from: only people who see these may read it.
 */
export type Changes = Record<string, { from: unknown; to: unknown; moved?: true; last?: number[] }>

interface AuditEvent {
  action: string
  entity: string
  /** Id of the record; null if the event is about several. */
  record: number | null
  version?: number
  changes?: Changes
}

/** Writes an audit event in the transaction of the change; for a public call it has no staff id. */
export function writeAuditEvent({ db, standby, me, request }: Call, event: AuditEvent): Promise<void> {
  return insertAuditEvent(standby?.primary ?? db, event, me.id || null, request.id)
}

/** Writes an audit event of the system, such as an hourly job. */
export function writeSystemAuditEvent(db: Db, event: AuditEvent): Promise<void> {
  return insertAuditEvent(db, event, null, null)
}

/** CTE that writes an audit event 'open' for each row of the CTE `found`. */
export function insertOpenEvents({ me, request }: Call, entity: string, record: Sql, found: string): Sql {
  return sql`insert into audit (staff, action, entity, record, request)
    select ${me.id}, 'open', ${entity}, ${record}, ${request.id} from ${sql.ref(found)}`
}

/** CTE that writes an audit event 'create' for each row of the CTE `added`. */
export function insertCreateEvents({ me, request }: Call, entity: string, added: string): Sql {
  return sql`insert into audit (staff, action, entity, record, version, request)
    select ${me.id || null}, 'create', ${entity}, id, 1, ${request.id} from ${sql.ref(added)}`
}

async function insertAuditEvent(
  db: Db,
  { action, entity, record, version, changes }: AuditEvent,
  staff: number | null,
  request: string | null,
): Promise<void> {
  await sql`insert into audit (staff, action, entity, record, version, changes, request)
    values (${staff}, ${action}, ${entity}, ${record}, ${version ?? null}, ${changes ? JSON.stringify(changes) : null}, ${request})`.execute(
    db,
  )
}

/** Deletes the audit events of records, and the stored idempotent replies of their requests; `ids` is an array. */
export async function purgeAuditEvents(db: Db, entity: string, ids: Sql): Promise<void> {
  await deleteReplies(db, sql`entity = ${entity} and record = any(${ids})`)
  await sql`select purge_audit_events(${entity}, ${ids})`.execute(db)
}

/** The same for all events below clients, cases or issues. */
export async function purgeAuditEventsBelow(
  db: Db,
  level: 'client' | 'case' | 'issue',
  ids: number[],
): Promise<void> {
  await deleteReplies(db, sql`${sql.ref(level)} = any(${ids}::int[])`)
  await sql`select purge_audit_events_below(${level}, ${ids}::int[])`.execute(db)
}

async function deleteReplies(db: Db, where: Sql): Promise<void> {
  await sql`delete from idempotency where request in (select request from audit where ${where})`.execute(db)
}

/** Changes of one save, with author and time (ISO). */
export interface RecordedChange {
  fields: Changes
  /** Id of the author; null for the system. */
  staff: number | null
  by: string
  at: string
}

/** Changes to a record after a version, oldest first, with author and time. */
export async function changesSince(
  { db }: Call,
  entity: string,
  record: number,
  version: number,
): Promise<RecordedChange[]> {
  const { rows } = await sql<{ changes: Changes; staff: number | null; by: string; at: Date }>`
    select a.changes, a.staff, coalesce(trim(s.first_name || ' ' || s.last_name), 'The system') as by, a.at from audit a left join staff s on s.id = a.staff
    where a.entity = ${entity} and a.record = ${record} and a.version > ${version} and a.changes is not null order by a.version`.execute(
    db,
  )
  return rows.map(({ changes, staff, by, at }) => ({ fields: changes, staff, by, at: at.toISOString() }))
}
