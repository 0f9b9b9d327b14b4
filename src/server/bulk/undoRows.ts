import { sql } from 'kysely'
import { writeAuditEvent } from '../audit/audit.ts'
import type { Call } from '../call.ts'
import { purgeCases, purgeClient } from '../purge.ts'
import { countRows, ROW_COLUMNS, setUpload, type Upload, type UploadRow } from './upload.ts'

const BATCH = 50

/** Why a case that was added is not taken back, in words; the texts of those that hold are put together. */
const TOUCHED = {
  case_changed: 'the case was changed',
  issue_changed: 'the issue was changed',
  more_issues: 'an issue was added',
  monitoring: 'monitoring was changed',
  actions: 'an action was added',
  documents: 'a document was added',
  signposts: 'signposting was added',
  drafts: 'somebody is writing about it',
}
type Touched = Record<keyof typeof TOUCHED, boolean>

/** Takes back the next cases that an upload added; answers how many it looked at, and ends the job with the last. */
export async function undoRows(call: Call, upload: Upload): Promise<number> {
  const { db } = call
  const { rows } = await sql<UploadRow>`select ${ROW_COLUMNS} from bulk_rows
    where upload = ${upload.id} and state = 'added' order by row limit ${BATCH}`.execute(db)
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
  const touched = row.case === null ? undefined : await touchedSince(call, row.case)
  const reasons = touched
    ? Object.entries(TOUCHED).flatMap(([key, words]) => (touched[key as keyof Touched] ? words : []))
    : []
  if (reasons.length > 0) return keep(call, row, `Kept, because ${reasons.join(', ')} since`)
  const isClientFree = row.client_added && row.client !== null && (await isUntouchedClient(call, row))
  // Before the purge, which looks for rows that name what it deletes.
  const note = touched
    ? row.client_added && !isClientFree
      ? 'The case is gone; the client is kept, because something was added to it since'
      : null
    : 'The case was purged before'
  await sql`update bulk_rows set state = 'undone', note = ${note}, "case" = null, client = null where id = ${row.id}`.execute(
    db,
  )
  if (!touched) return
  if (isClientFree) {
    await purgeClient(call, row.client!)
    await writeAuditEvent(call, { action: 'purge', entity: 'client', record: row.client })
  } else await purgeCases(call, [row.case!])
  await writeAuditEvent(call, { action: 'purge', entity: 'case', record: row.case })
}

async function keep({ db }: Call, { id }: UploadRow, note: string): Promise<void> {
  await sql`update bulk_rows set state = 'kept', note = ${note} where id = ${id}`.execute(db)
}

/** What was done to a case since it was added; undefined where it is gone. Locks it, so that nothing is added meanwhile. */
async function touchedSince({ db }: Call, id: number): Promise<Touched | undefined> {
  const { rows } = await sql<Touched>`select k.version > 1 or k.status <> 1 as case_changed,
      exists (select 1 from issues i where i."case" = k.id and (i.version > 1 or i.status <> 1 or not i.is_opened)) as issue_changed,
      (select count(*) > 1 from issues i where i."case" = k.id) as more_issues,
      exists (select 1 from case_monitoring m where m."case" = k.id and m.version > 1) or
        exists (select 1 from issue_monitoring m join issues i on i.id = m.issue where i."case" = k.id and m.version > 1) as monitoring,
      exists (select 1 from actions a where a."case" = k.id
        or a.issue in (select i.id from issues i where i."case" = k.id)) as actions,
      exists (select 1 from issue_documents d join issues i on i.id = d.issue where i."case" = k.id) as documents,
      exists (select 1 from signposts s where s."case" = k.id) as signposts,
      exists (select 1 from drafts d where d.payload #>> '{document,case}' = k.id::text
        or substring(d.address from '/cases/(\\d+)') = k.id::text
        or substring(d.address from '[?&]case=(\\d+)') = k.id::text) as drafts
    from cases k where k.id = ${id} for update`.execute(db)
  return rows[0]
}

/** Whether a client that the row added has nothing but its case. */
async function isUntouchedClient({ db }: Call, row: UploadRow): Promise<boolean> {
  const { rows } =
    await sql`select 1 from clients c where c.id = ${row.client} and c.version = 1 and c.status = 1
    and not exists (select 1 from cases k where k.client = c.id and k.id <> ${row.case})
    and not exists (select 1 from risks r where r.client = c.id)
    and not exists (select 1 from communication_issues m where m.client = c.id)
    and not exists (select 1 from signposts s where s.client = c.id) for update`.execute(db)
  return rows.length > 0
}
