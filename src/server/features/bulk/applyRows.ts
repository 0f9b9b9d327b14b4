import { sql } from 'kysely'
import type { Call } from '../../core/call.ts'
import type { Db } from '../../core/db.ts'
import { asProblem, hasFieldErrors } from '../../core/problems.ts'
import { writeAuditEvent } from '../../records/audit/audit.ts'
import { evaluateChanged } from '../automations/changedCases.ts'
import { type AddedCase, insertNewCases } from '../cases/newCase.ts'
import { storeExamined } from './checkRows.ts'
import { type ExaminedRow, examineRows, readingOf } from './examineRows.ts'
import { countRows, ROW_COLUMNS, setUpload, type Upload, type UploadRow } from './upload.ts'

/** Rows per transaction, which is repeated after a crash. */
const BATCH = 50

/** Adds the cases of the next ready rows; returns their number, and ends the job after the last. */
export async function applyRows(call: Call, upload: Upload): Promise<number> {
  const { db } = call
  const { rows } = await sql<UploadRow>`select ${ROW_COLUMNS} from bulk_rows
    where upload = ${upload.id} and state = 'ready' and (decision is distinct from 'same' or exists
      (select from bulk_rows f where f.id = bulk_rows.same_as and f.client is not null)) order by row limit ${BATCH}`.execute(
    db,
  )
  const examined = rows.length > 0 ? await examineRows(call, await readingOf(call, upload), rows) : []
  // Rows that became wrong or duplicates since the check are not added.
  await storeExamined(db, examined)
  const ready = examined.filter(isReady)
  // All together, which takes as many round trips as one; if any is refused, each on its own.
  if (ready.length > 0 && (await addCases(call, upload, ready)) !== undefined)
    for (const one of ready) await addOrRefuse(call, upload, one)
  // A batch that added somebody may be followed by further cases of that person.
  if (rows.length < BATCH && !(await hasFurtherCases(db, upload.id))) {
    await refuseOrphans(db, upload.id)
    await countRows(db, upload.id)
    await finish(call, upload)
  } else await countRows(db, upload.id)
  return rows.length
}

/** True if a row is another case of a person whom an earlier row has added. */
async function hasFurtherCases(db: Db, upload: number): Promise<boolean> {
  const { rows } = await sql`select from bulk_rows r join bulk_rows f on f.id = r.same_as
    where r.upload = ${upload} and r.state = 'ready' and r.decision = 'same' and f.client is not null limit 1`.execute(
    db,
  )
  return rows.length > 0
}

/** Marks further cases of people who were not added as wrong, with the row that should have added them. */
async function refuseOrphans(db: Db, upload: number): Promise<void> {
  await sql`update bulk_rows r set state = 'wrong', errors = jsonb_build_array(jsonb_build_object('column', null,
      'value', r.person, 'message', 'Row ' || f.row || ', which has the same person, was not added'))
    from bulk_rows f where f.id = r.same_as and r.upload = ${upload} and r.state = 'ready' and r.decision = 'same'`.execute(
    db,
  )
}

type ReadyRow = ExaminedRow & Required<Pick<ExaminedRow, 'newCase'>>

function isReady(one: ExaminedRow): one is ReadyRow {
  return one.newCase !== undefined && (one.matches.length === 0 || one.row.decision !== null)
}

/** Adds the case of a row, or saves the reason for its refusal in the row. */
async function addOrRefuse(call: Call, upload: Upload, one: ReadyRow): Promise<void> {
  const message = await addCases(call, upload, [one])
  if (message === undefined) return
  await sql`update bulk_rows set state = 'wrong', errors = ${JSON.stringify([{ column: null, value: null, message }])}
    where id = ${one.row.id}`.execute(call.db)
}

/** Adds the cases of rows, all or none; returns the reason if they are refused. */
async function addCases(call: Call, { id }: Upload, ready: ReadyRow[]): Promise<string | undefined> {
  const { db } = call
  await sql`savepoint bulk_rows`.execute(db)
  try {
    const added = await insertNewCases(
      call,
      ready.map(({ newCase }) => newCase),
    )
    await storeAdded(db, ready, added)
    await evaluateChanged(call, { batch: `upload ${id}` })
    await sql`release savepoint bulk_rows`.execute(db)
    return undefined
  } catch (error) {
    const { statusCode, body } = asProblem(error)
    if (statusCode >= 500) throw error
    await sql`rollback to savepoint bulk_rows`.execute(db)
    return hasFieldErrors(body) ? Object.values(body).flat().join(' ') : String(body.message)
  }
}

async function storeAdded(db: Db, ready: ReadyRow[], added: AddedCase[]): Promise<void> {
  const rows = ready.map(({ row, newCase }, i) => ({
    id: row.id,
    client: added[i].client,
    case: added[i].id,
    is_new: newCase.client.id === undefined,
  }))
  await sql`update bulk_rows r set state = 'added', client = a.client, "case" = a."case", client_added = a.is_new
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as a(id int, client int, "case" int, is_new boolean)
    where r.id = a.id`.execute(db)
}

async function finish(call: Call, { id, applied_at }: Upload): Promise<void> {
  await setUpload(call.db, id, { state: 'done', applied_at: applied_at ?? new Date() })
  const { rows } = await sql<{ added: number }>`select coalesce((counts ->> 'added')::int, 0) as added
    from bulk_uploads where id = ${id}`.execute(call.db)
  const changes = { added: { from: null, to: rows[0].added } }
  await writeAuditEvent(call, { action: 'apply', entity: 'bulkUpload', record: id, changes })
}
