import { sql } from 'kysely'
import type { Call } from '../../core/call.ts'
import type { Sql } from '../../core/db.ts'
import { writeAuditEvent } from '../../records/audit/audit.ts'
import { isDraftOf } from '../../records/drafts/draftReferences.ts'
import { purgeCases, purgeClient } from '../../records/purge/purge.ts'
import { holdsFrom } from '../automations/refuseHeld.ts'
import { countRows, ROW_COLUMNS, setUpload, type Upload, type UploadRow } from './upload.ts'

const BATCH = 50

/** Reasons to keep an added case: the words, and the condition on the case k. */
const REASONS: Record<string, Sql> = {
  'the case was changed': sql`k.version > 1 or k.status <> 1`,
  'the issue was changed': sql`exists (select from issues i
    where i."case" = k.id and (i.version > 1 or i.status <> 1 or not i.is_opened))`,
  'an issue was added': sql`(select count(*) > 1 from issues i where i."case" = k.id)`,
  'monitoring was changed': sql`exists (select from case_monitoring m where m."case" = k.id and m.version > 1)
    or exists (select from issue_monitoring m join issues i on i.id = m.issue where i."case" = k.id and m.version > 1)`,
  'an action was added': sql`exists (select from actions a where a."case" = k.id)`,
  // The next step of an action is a task too, but the action is the reason; an automation planned the others itself.
  'a task was added': sql`exists (select from tasks t where t."case" = k.id and t.action is null
    and (t.event is null or t.version > 1 or t.done_at is not null))`,
  'a document was added': sql`exists (select from issue_documents d join issues i on i.id = d.issue where i."case" = k.id)`,
  'signposting was added': sql`exists (select from signposts s where s.client = k.client and s."case" = k.id)`,
  'a referral was added': sql`exists (select from referral_requests q where q."case" = k.id or q.from_case = k.id)`,
  'somebody is writing about it': sql`exists (select from drafts where ${isDraftOf('case', sql`array[k.id::text]`)}
    or ${isDraftOf('issue', sql`array(select i.id::text from issues i where i."case" = k.id)`)})`,
}

/** Deletes the next cases that an upload added; returns the number of their rows, and ends the job after the last. */
export async function undoRows(call: Call, upload: Upload): Promise<number> {
  const { db } = call
  const { rows } = await sql<UploadRow>`select ${ROW_COLUMNS} from bulk_rows
    where upload = ${upload.id} and state = 'added' order by row desc limit ${BATCH}`.execute(db)
  for (const row of rows) await undoRow(call, row)
  await countRows(db, upload.id)
  if (rows.length < BATCH) {
    await setUpload(db, upload.id, { state: 'undone' })
    await writeAuditEvent(call, { action: 'undo', entity: 'bulkUpload', record: upload.id })
  }
  return rows.length
}

async function undoRow(call: Call, row: UploadRow): Promise<void> {
  const { db } = call
  await lockRecords(call, row)
  const reasons = await reasonsToKeep(call, row)
  if (reasons && reasons.length > 0) return keep(call, row, `Kept, because ${reasons.join(', ')} since`)
  if (reasons && (await isHeld(call, row))) return keep(call, row, 'Kept, because something holds the case')
  const isClientFree = row.client_added && (await isUntouchedClient(call, row))
  // Before the purge, which searches for rows that reference the deleted records.
  const note = reasons
    ? row.client_added && !isClientFree
      ? 'The case is gone; the client is kept, because something was added to it since'
      : null
    : 'The case was purged before'
  await sql`update bulk_rows set state = 'undone', note = ${note}, "case" = null, client = null where id = ${row.id}`.execute(
    db,
  )
  if (!reasons) return
  if (isClientFree) {
    await purgeClient(call, row.client!)
    await writeAuditEvent(call, { action: 'purge', entity: 'client', record: row.client })
  } else await purgeCases(call, [row.case!])
  await writeAuditEvent(call, { action: 'purge', entity: 'case', record: row.case })
}

/** True if a state holds the case or its issue from being deleted for good. */
async function isHeld({ db }: Call, row: UploadRow): Promise<boolean> {
  const { rows } = await sql`select from automation_holds h join automation_states s on s.id = h.state
    where s."case" = ${row.case} and ${holdsFrom('purge')} limit 1`.execute(db)
  return rows.length > 0
}

async function keep({ db }: Call, { id }: UploadRow, note: string): Promise<void> {
  await sql`update bulk_rows set state = 'kept', note = ${note} where id = ${id}`.execute(db)
}

/**
 * Locks the case of a row with its client and issues. It is a separate statement, so that the next statement sees
 * records that were added while it waited for the locks.
 */
async function lockRecords({ db }: Call, row: UploadRow): Promise<void> {
  await sql`select from cases k join clients c on c.id = k.client join issues i on i."case" = k.id
    where k.id = ${row.case} for update`.execute(db)
}

/** Reasons to keep the case of a row, in words; undefined if the case does not exist any more. */
async function reasonsToKeep({ db }: Call, row: UploadRow): Promise<string[] | undefined> {
  const reasons = Object.entries(REASONS).map(
    ([words, condition]) => sql`case when ${condition} then ${words} end`,
  )
  const { rows } = await sql<{ reasons: string[] }>`
    select array_remove(array[${sql.join(reasons)}], null) as reasons from cases k where k.id = ${row.case}`.execute(
    db,
  )
  return rows[0]?.reasons
}

/** True if a client that the row added has nothing but its case. */
async function isUntouchedClient({ db }: Call, row: UploadRow): Promise<boolean> {
  const { rows } =
    await sql`select from clients c where c.id = ${row.client} and c.version = 1 and c.status = 1
    and not exists (select from cases where client = c.id and id <> ${row.case})
    and not exists (select from risks where client = c.id)
    and not exists (select from communication_issues where client = c.id)
    and not exists (select from signposts where client = c.id)
    and not exists (select from tasks where client = c.id and event is null)
    and not exists (select from referral_requests where from_client = c.id)
    and not exists (select from drafts where ${isDraftOf('client', sql`array[c.id::text]`)})`.execute(db)
  return rows.length > 0
}
