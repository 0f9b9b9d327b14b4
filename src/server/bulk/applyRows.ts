import { sql } from 'kysely'
import { writeAuditEvent } from '../audit/audit.ts'
import type { Call } from '../call.ts'
import { insertNewCase } from '../newCase/newCase.ts'
import { asProblem } from '../problems.ts'
import { storeExamined } from './checkRows.ts'
import { type ExaminedRow, examineRows, readingOf } from './examineRows.ts'
import { countRows, ROW_COLUMNS, setUpload, type Upload, type UploadRow } from './upload.ts'

/** Rows of a transaction, which a crash does again. */
const BATCH = 50

/** Adds the cases of the next rows that are ready, each in a savepoint; answers how many, and ends the job with the last. */
export async function applyRows(call: Call, upload: Upload): Promise<number> {
  const { db } = call
  const { rows } = await sql<UploadRow>`select ${ROW_COLUMNS} from bulk_rows
    where upload = ${upload.id} and state = 'ready' order by row limit ${BATCH}`.execute(db)
  const examined = rows.length > 0 ? await examineRows(call, await readingOf(call, upload), rows) : []
  // What has become wrong or known since the check is not added.
  await storeExamined(db, examined)
  for (const one of examined) if (isReady(one)) await addCase(call, one)
  await countRows(db, upload.id)
  if (rows.length < BATCH) await finish(call, upload)
  return rows.length
}

function isReady({ row, newCase, matches }: ExaminedRow): boolean {
  return newCase !== undefined && (matches.length === 0 || row.decision !== null)
}

async function addCase(call: Call, { row, newCase }: ExaminedRow): Promise<void> {
  const { db } = call
  await sql`savepoint bulk_row`.execute(db)
  try {
    const { id, client } = await insertNewCase(call, newCase!)
    await sql`update bulk_rows set state = 'added', client = ${client}, "case" = ${id},
      client_added = ${newCase!.client.id === undefined} where id = ${row.id}`.execute(db)
    await sql`release savepoint bulk_row`.execute(db)
  } catch (error) {
    const { statusCode, body } = asProblem(error)
    if (statusCode >= 500) throw error
    await sql`rollback to savepoint bulk_row`.execute(db)
    const message = 'code' in body ? String(body.message) : Object.values(body).flat().join(' ')
    await sql`update bulk_rows set state = 'wrong', errors = ${JSON.stringify([{ column: null, value: null, message }])}
      where id = ${row.id}`.execute(db)
  }
}

async function finish(call: Call, { id, applied_at }: Upload): Promise<void> {
  await setUpload(call.db, id, { state: 'done', applied_at: applied_at ?? new Date() })
  const { rows } = await sql<{ added: number }>`select coalesce((counts ->> 'added')::int, 0) as added
    from bulk_uploads where id = ${id}`.execute(call.db)
  const changes = { added: { from: null, to: rows[0].added } }
  await writeAuditEvent(call, { action: 'apply', entity: 'bulkUpload', record: id, changes })
}
