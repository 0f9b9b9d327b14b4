import { sql } from 'kysely'
import type { Call } from '../../core/call.ts'
import type { Db } from '../../core/db.ts'
import { type ExaminedRow, examineRows, readingOf } from './examineRows.ts'
import { countRows, ROW_COLUMNS, setUpload, startJob, type Upload, type UploadRow } from './upload.ts'

/** Rows per transaction: more than of added cases, because a check only writes its outcome. */
const BATCH = 200

/** Checks the next rows of an upload; returns their number, and ends the job after the last. */
export async function checkRows(call: Call, upload: Upload): Promise<number> {
  const { db } = call
  const { rows } = await sql<UploadRow>`select ${ROW_COLUMNS} from bulk_rows
    where upload = ${upload.id} and state = 'waiting' order by row limit ${BATCH}`.execute(db)
  if (rows.length > 0) await storeExamined(db, await examineRows(call, await readingOf(call, upload), rows))
  if (rows.length < BATCH) await finish(db, upload)
  return rows.length
}

/** Stores the outcome of rows; a row whose person may be an existing client waits for a decision. */
export async function storeExamined(db: Db, examined: ExaminedRow[]): Promise<void> {
  const found = examined.map((one) => ({
    ...one,
    row: undefined,
    newCase: undefined,
    id: one.row.id,
    state: stateOf(one),
  }))
  await sql`update bulk_rows r set state = f.state, errors = f.errors, person = f.person, person_keys = f.keys,
      matches = f.matches, matched_by = f."matchedBy"
    from jsonb_to_recordset(${JSON.stringify(found)}::jsonb)
      as f(id int, state text, errors jsonb, person text, keys text[], matches int[], "matchedBy" text)
    where r.id = f.id`.execute(db)
}

function stateOf({ row, errors, matches }: ExaminedRow): string {
  if (row.decision === 'skip') return 'skipped'
  if (errors.length > 0) return 'wrong'
  return matches.length > 0 && row.decision === null ? 'duplicate' : 'ready'
}

async function finish(db: Db, { id, apply_unasked }: Upload): Promise<void> {
  await markRepeatedPeople(db, id)
  await countRows(db, id)
  const { rows } =
    await sql`select 1 from bulk_rows where upload = ${id} and state = 'ready' limit 1`.execute(db)
  if (apply_unasked && rows.length > 0) await startJob(db, id, 'applying', 'ready')
  else await setUpload(db, id, { state: 'ready' })
}

/**
 * Marks rows with the same person as an earlier row, which may be further pieces of work for that person: they wait for
 * a decision unless there is one already.
 */
async function markRepeatedPeople(db: Db, upload: number): Promise<void> {
  await sql`with keys as (
      select r.id, first_value(r.id) over w as first from bulk_rows r cross join unnest(r.person_keys) as k(key)
      where r.upload = ${upload} and r.state not in ('replaced', 'skipped', 'undone') window w as (partition by k.key order by r.row)
    ), twice as (select id, min(first) as first from keys where id <> first group by id)
    update bulk_rows r set same_as = t.first,
      state = case when r.state = 'ready' and r.decision is null then 'duplicate' else r.state end
    from (select r.id, t.first from bulk_rows r left join twice t on t.id = r.id where r.upload = ${upload}) t
    where r.id = t.id and r.state in ('ready', 'duplicate', 'wrong') and (r.same_as is not null or t.first is not null)`.execute(
    db,
  )
}
