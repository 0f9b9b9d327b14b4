import { sql } from 'kysely'
import { addDays } from '../../../contract/days.ts'
import { hasHiddenIssues, LAST_CHANGE } from '../../access/purgeable.ts'
import type { Call } from '../../core/call.ts'
import type { Db, Sql } from '../../core/db.ts'
import { problem } from '../../core/problems.ts'
import { today } from '../../core/today.ts'
import { forgetForeignSeen } from '../answersSeen/forgetSeen.ts'
import { purgeAuditEvents, purgeAuditEventsBelow, writeAuditEvent } from '../audit/audit.ts'
import { isDraftOf } from '../drafts/draftReferences.ts'
import { PURGED_WITH_CLIENT } from '../merged/clientReferences.ts'
import { numbersOf } from '../merged/mergedRecords.ts'
import { purgeViews } from './purgeViews.ts'

/** Tables whose rows are purged with a record, children first: table, entity of its files, column. */
const PURGED_TABLES = {
  issue: [
    ['issue_documents', 'issueDocument', 'issue'],
    ['tasks', 'task', 'issue'],
    ['actions', 'action', 'issue'],
    ['issues', 'issue', 'id'],
  ],
  case: [
    ['tasks', 'task', 'case'],
    ['actions', 'action', 'case'],
    ['signposts', 'signpost', 'case'],
    ['cases', 'case', 'id'],
  ],
  client: [...PURGED_WITH_CLIENT, ['clients', 'client', 'id']],
} as const
type Level = keyof typeof PURGED_TABLES

/** Refuses to purge an issue or case that was closed or changed in the last OLD_CASE_DAYS days. */
export async function refuseRecent(call: Call, level: keyof typeof LAST_CHANGE): Promise<void> {
  const { rows } = await sql<{ day: string }>`select ${LAST_CHANGE[level]('r')} as day
    from ${sql.table(`${level}s`)} r where r.id = ${call.params.id}`.execute(call.db)
  if (!isOld(call, rows[0].day)) throw problem('notOld')
}

/** Refuses to purge a case or client with issues that the caller may not see. */
export async function refuseHiddenIssues({ db, me, params }: Call, level: 'case' | 'client'): Promise<void> {
  const { rows } = await sql`select from ${sql.table(`${level}s`)} r
    where r.id = ${params.id} and ${hasHiddenIssues(me, 'r', level)}`.execute(db)
  if (rows.length > 0) throw problem('hiddenIssues')
}

/** Deletes issues for good, with everything below them, their audit events and the drafts that refer to them. */
export function purgeIssues(call: Call, ids: number[]): Promise<void> {
  return purgeAll(call, 'issue', ids)
}

/** Deletes cases for good, with their issues, everything below them and their audit events. */
export async function purgeCases(call: Call, ids: number[]): Promise<void> {
  const { rows } = await sql<{ id: number }>`select id from issues where "case" = any(${ids}::int[])`.execute(
    call.db,
  )
  await purgeIssues(
    call,
    rows.map(({ id }) => id),
  )
  // A public referral goes with its case: no other hub has it.
  await purgeReferrals(call, sql`"case" = any(${ids}::int[]) and channel = 'public'`)
  await sql`update referral_requests set "case" = null where "case" = any(${ids}::int[])`.execute(call.db)
  await purgeReferrals(call, sql`from_case = any(${ids}::int[])`)
  await clearUploadedRows(call.db, 'case', ids)
  await purgeAll(call, 'case', ids)
}

/** Deletes a client for good, with all cases, everything below them and their audit events. */
export async function purgeClient(call: Call, id: number): Promise<void> {
  const { rows } = await sql<{ id: number }>`select id from cases where client = ${id}`.execute(call.db)
  await purgeCases(
    call,
    rows.map((row) => row.id),
  )
  await purgeReferrals(call, sql`from_client = ${id}`)
  await clearUploadedRows(call.db, 'client', [id])
  await purgeViews(call, id)
  await purgeAll(call, 'client', [id])
}

/** Deletes the referrals that match a condition; a case that another hub created from one is its own and stays. */
async function purgeReferrals({ db }: Call, where: Sql): Promise<void> {
  const requests = sql`select id from referral_requests where ${where}`
  const messages = sql`select id from referral_messages where request in (${requests})`
  const comments = sql`select id from referral_comments where message in (${messages}) or request in (${requests})`
  const { rows } = await sql<Record<string, number[]>>`select array(${comments}) as "referralComment",
    array(${messages}) as "referralMessage", array(${requests}) as "referralRequest"`.execute(db)
  await sql`delete from referral_requests where ${where}`.execute(db)
  for (const [entity, ids] of Object.entries(rows[0])) await purgeAuditEvents(db, entity, sql`${ids}::int[]`)
}

/** Writes the audit event of a purge, the only trace that remains: who purged which record, and when. */
export function auditPurge(call: Call, entity: string): Promise<void> {
  return writeAuditEvent(call, { action: 'purge', entity, record: Number(call.params.id) })
}

async function purgeAll({ db }: Call, level: Level, ids: number[]): Promise<void> {
  if (ids.length === 0) return
  // Read before the records are deleted, because the numbers of merged records are deleted with them.
  const numbers = await numbersOf(db, level, ids)
  const clients = await clientsOf(db, level, ids)
  for (const [table, entity, key] of PURGED_TABLES[level]) {
    const rows = sql`${sql.table(table)} where ${sql.ref(key)} = any(${ids}::int[])`
    const { rows: files } = await sql<{ id: number }>`select id from files
      where entity = ${entity} and record in (select id from ${rows})`.execute(db)
    await sql`delete from ${rows}`.execute(db)
    const fileIds = files.map((file) => file.id)
    await sql`delete from files where id = any(${fileIds}::int[])`.execute(db)
    await purgeAuditEvents(db, 'file', sql`${fileIds}::int[]`)
  }
  await forgetForeignSeen(db, clients)
  await deleteDrafts(db, level, numbers)
  await purgeAuditEventsBelow(db, level, numbers)
}

/** The clients whose other records may have read values from some that are purged. */
async function clientsOf(db: Db, level: Level, ids: number[]): Promise<number[]> {
  if (level === 'client') return []
  const { rows } = await sql<{ client: number }>`select distinct client from ${sql.table(`${level}s`)}
    where id = any(${ids}::int[])`.execute(db)
  return rows.map(({ client }) => client)
}

/** Replaces the findings in the file of a purged person, whose examples may be about them. */
const NOTHING_UNCLEAR = '{"columns": {}, "encodings": [], "hidden": null, "before": null}'

/**
 * Clears the spreadsheet rows that cases or clients were imported from, and deletes these files, which hold the same.
 */
async function clearUploadedRows(db: Db, level: 'case' | 'client', ids: number[]): Promise<void> {
  await sql`with gone as (update bulk_rows set cells = '[]', errors = '[]', person = null, person_keys = '{}',
      cells_hash = null, "case" = null, client = null
    where ${sql.ref(level)} = any(${ids}::int[]) returning upload), cleared as (update bulk_uploads set findings = ${NOTHING_UNCLEAR} where id in (select upload from gone))
    delete from files where entity = 'bulkUpload' and record in (select upload from gone)`.execute(db)
}

/** Deletes all drafts that were started on a record or refer to it, with their audit events. */
async function deleteDrafts(db: Db, level: Level, ids: number[]): Promise<void> {
  const { rows } = await sql<{
    id: number
  }>`delete from drafts where ${isDraftOf(level, sql`${ids}::text[]`)} returning id`.execute(db)
  await purgeAuditEvents(db, 'draft', sql`${rows.map(({ id }) => id)}::int[]`)
}

/** True if a day (YYYY-MM-DD) is OLD_CASE_DAYS or more ago. */
function isOld({ settings }: Pick<Call, 'settings'>, day: string): boolean {
  return day <= addDays(today(settings.TIME_ZONE), -settings.OLD_CASE_DAYS)
}
