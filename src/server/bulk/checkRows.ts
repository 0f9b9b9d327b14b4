import { sql } from 'kysely'
import type { Call } from '../call.ts'
import type { Db } from '../db.ts'
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
  await refuseRepeatedPeople(db, id)
  await countRows(db, id)
  const { rows } =
    await sql`select 1 from bulk_rows where upload = ${id} and state = 'ready' limit 1`.execute(db)
  if (apply_unasked && rows.length > 0) await startJob(db, id, 'applying', 'ready')
  else await setUpload(db, id, { state: 'ready' })
}

/** Marks rows with the same person as an earlier row as wrong, with the number of that row. */
async function refuseRepeatedPeople(db: Db, upload: number): Promise<void> {
  await sql`with keys as (
      select r.id, r.row, k.key, min(r.row) over (partition by k.key) as first
      from bulk_rows r cross join unnest(r.person_keys) as k(key)
      where r.upload = ${upload} and r.state not in ('replaced', 'skipped', 'undone')
    ), twice as (select id, min(first) as first from keys where row > first group by id)
    update bulk_rows r set state = 'wrong', errors = r.errors || jsonb_build_array(jsonb_build_object(
        'column', null, 'value', r.person, 'message', 'The same person is in row ' || t.first))
    from twice t where r.id = t.id and r.state in ('ready', 'duplicate', 'wrong')
      and not exists (select 1 from jsonb_array_elements(r.errors) e where e ->> 'message' like 'The same person is in row %')`.execute(
    db,
  )
}
