import { sql } from 'kysely'
import type { Db } from '../db.ts'
import { readContent } from '../files/content.ts'
import { readWorkbook, type SheetTable } from '../files/readWorkbook.ts'
import { caseTypeOf } from '../newCase/newRecord.ts'
import type { Problem } from '../problems.ts'
import { type BulkContext, callAs } from './jobCall.ts'
import { earlierMapping, isComplete, proposeMapping } from './mapping.ts'
import { targetsOf } from './targets.ts'
import { countRows, setUpload, startJob, type Upload } from './upload.ts'

/** Value of `files.entity` for the files of uploads. */
export const UPLOADED_FILE = 'bulkUpload'

/** Custom properties of a template with its case type and version. */
export const TEMPLATE = { caseType: 'case_type', version: 'case_type_version' }

/** Reads the file of an upload into rows, or fails the upload with a sentence. `commit` stores them under the lease. */
export async function readUpload(
  context: BulkContext,
  upload: Upload,
  commit: (store: (tx: Db) => Promise<void>) => Promise<boolean>,
): Promise<void> {
  const { db } = context
  const { rows } = await sql<{ id: number }>`select id from files
    where entity = ${UPLOADED_FILE} and record = ${upload.id}`.execute(db)
  const content = rows[0] && (await readContent(context, rows[0].id).catch(refuseUnlessMissing))
  const read = content ? await readWorkbook(content, upload.name) : 'The file is no longer there'
  await commit(async (tx) => {
    if (typeof read === 'string') await setUpload(tx, upload.id, { state: 'failed', problem: read })
    else await store(context, tx, upload, read)
  })
}

/** Rethrows errors that a retry can solve, such as an unavailable storage; a missing content stays missing. */
function refuseUnlessMissing(error: Partial<Problem>): undefined {
  if (error.body?.code !== 'contentMissing') throw error
}

async function store(context: BulkContext, tx: Db, upload: Upload, read: SheetTable): Promise<void> {
  const { id } = upload
  for (const chunk of read.chunks)
    await sql`insert into bulk_rows (upload, row, cells)
      select ${id}, (e.value ->> 0)::int, e.value -> 1 from jsonb_array_elements(${chunk}::jsonb) as e(value)`.execute(
      tx,
    )
  if (upload.replaces !== null) {
    await sql`update bulk_rows set state = 'replaced' where upload = ${upload.replaces} and state = 'wrong'`.execute(
      tx,
    )
    await countRows(tx, upload.replaces)
  }
  const stamped = Number(read.properties[TEMPLATE.caseType])
  const case_type = upload.case_type ?? (Number.isInteger(stamped) ? stamped : null)
  await setUpload(tx, id, {
    headings: JSON.stringify(read.headings),
    total: read.total,
    date1904: read.date1904,
  })
  await countRows(tx, id)
  await chooseColumns(context, tx, { ...upload, headings: read.headings, case_type })
}

/** Proposes the mapping of columns, and starts the check if it is complete. */
export async function chooseColumns(
  context: Pick<BulkContext, 'contract' | 'settings'>,
  tx: Db,
  upload: Pick<Upload, 'id' | 'hub' | 'case_type' | 'replaces' | 'headings' | 'acting'>,
): Promise<void> {
  const { id, headings } = upload
  const call = await callAs(context, tx, upload.acting, `bulk-${id}`)
  const type = call && (await caseTypeOf(call, { case_type: upload.case_type }).catch(() => undefined))
  if (!call || !type) return setUpload(tx, id, { state: 'mapping', case_type: null, mapping: '{}' })
  const before = await earlierMapping(tx, upload)
  const mapping = proposeMapping(headings, targetsOf(call.contract, type, call.me), before)
  await setUpload(tx, id, {
    state: 'mapping',
    case_type: type.id,
    case_type_version: type.version,
    mapping: JSON.stringify(mapping),
  })
  if (isComplete(mapping, headings)) await startJob(tx, id, 'checking', 'waiting')
}
