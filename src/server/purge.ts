import { sql } from 'kysely'
import { deleteAuditEvents, writeAuditEvent } from './audit/audit.ts'
import type { Call } from './call.ts'
import type { Db, Sql } from './db.ts'
import { purgeViews } from './purgeViews.ts'

/** Where an address names a record of a level: '/cases/7/issues/new'. */
const FOLDERS = { client: 'clients', case: 'cases', issue: 'issues' }

/** What hangs on a record and goes with it, in the order in which it can: table, entity of its files, column. */
const BELOW = {
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
  client: [
    ['tasks', 'task', 'client'],
    ['signposts', 'signpost', 'client'],
    ['risks', 'risk', 'client'],
    ['communication_issues', 'communicationIssue', 'client'],
    ['clients', 'client', 'id'],
  ],
} as const

/** Deletes issues for good, with everything below them, what was noted of them and the drafts that are about them. */
export function purgeIssues(call: Call, ids: number[]): Promise<void> {
  return purgeAll(call, 'issue', ids)
}

/** Deletes cases for good, with their issues, everything below them and what was noted of them. */
export async function purgeCases(call: Call, ids: number[]): Promise<void> {
  const { rows } = await sql<{ id: number }>`select id from issues where "case" = any(${ids}::int[])`.execute(
    call.db,
  )
  await purgeIssues(
    call,
    rows.map(({ id }) => id),
  )
  // What came from outside is of nobody else: no other hub has it.
  await purgeReferrals(call, sql`"case" = any(${ids}::int[]) and channel = 'public'`)
  await sql`update referral_requests set "case" = null where "case" = any(${ids}::int[])`.execute(call.db)
  await purgeReferrals(call, sql`from_case = any(${ids}::int[])`)
  await forgetUploadedRows(call.db, 'case', ids)
  await purgeAll(call, 'case', ids)
}

/** Deletes a client for good, with all cases, everything below them and what was noted of them. */
export async function purgeClient(call: Call, id: number): Promise<void> {
  const { rows } = await sql<{ id: number }>`select id from cases where client = ${id}`.execute(call.db)
  await purgeCases(
    call,
    rows.map((row) => row.id),
  )
  await purgeReferrals(call, sql`from_client = ${id}`)
  await forgetUploadedRows(call.db, 'client', [id])
  await purgeViews(call, id)
  await purgeAll(call, 'client', [id])
}

/** Deletes what was sent of a client or case to other hubs; a case that was made of it is theirs, and stays. */
async function purgeReferrals({ db }: Call, where: Sql): Promise<void> {
  const requests = sql`select id from referral_requests where ${where}`
  const messages = sql`select id from referral_messages where request in (${requests})`
  const comments = sql`select id from referral_comments where message in (${messages})`
  for (const [entity, ids] of Object.entries({
    referralComment: comments,
    referralMessage: messages,
    referralRequest: requests,
  }))
    await deleteAuditEvents(db, sql`entity = ${entity} and record in (${ids})`)
  await sql`delete from referral_requests where ${where}`.execute(db)
}

/** Leaves only who purged what, and when. */
export function auditPurge(call: Call, entity: string): Promise<void> {
  return writeAuditEvent(call, { action: 'purge', entity, record: Number(call.params.id) })
}

async function purgeAll({ db }: Call, level: keyof typeof BELOW, ids: number[]): Promise<void> {
  if (ids.length === 0) return
  for (const [table, entity, key] of BELOW[level]) {
    const rows = sql`${sql.table(table)} where ${sql.ref(key)} = any(${ids}::int[])`
    const { rows: files } = await sql<{ id: number }>`select id from files
      where entity = ${entity} and record in (select id from ${rows})`.execute(db)
    await sql`delete from ${rows}`.execute(db)
    const fileIds = files.map((file) => file.id)
    await sql`delete from files where id = any(${fileIds}::int[])`.execute(db)
    await deleteAuditEvents(db, sql`entity = 'file' and record = any(${fileIds}::int[])`)
  }
  await forgetDrafts(db, level, ids)
  await deleteAuditEvents(db, sql`${sql.ref(level)} = any(${ids}::int[])`)
}

/** Empties the rows of spreadsheets that cases or clients came from, and deletes these files, which hold the same. */
async function forgetUploadedRows(db: Db, level: 'case' | 'client', ids: number[]): Promise<void> {
  await sql`with gone as (update bulk_rows set cells = '[]', errors = '[]', person = null, person_keys = '{}',
      "case" = null, client = null
    where ${sql.ref(level)} = any(${ids}::int[]) returning upload)
    delete from files where entity = 'bulkUpload' and record in (select upload from gone)`.execute(db)
}

/** Deletes all drafts that were started on a record or refer to it, with their audit events. */
async function forgetDrafts(db: Db, level: keyof typeof FOLDERS, ids: number[]): Promise<void> {
  const { rows } = await sql<{ id: number }>`delete from drafts where ${ids}::text[] && array[
      payload #>> ${['document', level]}::text[],
      substring(address from ${`/${FOLDERS[level]}/(\\d+)`}),
      substring(address from ${`[?&]${level}=(\\d+)`})
    ] returning id`.execute(db)
  await deleteAuditEvents(db, sql`entity = 'draft' and record = any(${rows.map(({ id }) => id)}::int[])`)
}
