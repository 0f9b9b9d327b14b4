import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import type { Db } from '../../core/db.ts'
import type { Problem } from '../../core/problems.ts'
import { readContent } from '../../records/files/content.ts'
import type { Encoding } from '../../records/files/decodeText.ts'
import { type ReadRow, readWorkbook, type SheetTable } from '../../records/files/readWorkbook.ts'
import { writtenCell } from '../../records/files/writtenCell.ts'
import { caseTypeOf } from '../cases/newRecord.ts'
import { findUnclear } from './columnQuestions.ts'
import { findEarlierUpload } from './earlierUpload.ts'
import { type BulkContext, callAs } from './jobCall.ts'
import { leaveRowsOut } from './leaveRowsOut.ts'
import { earlierChoices, isComplete, proposeMapping } from './mapping.ts'
import { type Findings, isAnswered, keptAnswers, questionsOf } from './questions.ts'
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
  const encoding = upload.answers.encoding as Encoding | undefined
  const read = content ? await readWorkbook(content, upload.name, encoding) : 'The file is no longer there'
  const hash = content ? createHash('sha256').update(content).digest('hex') : ''
  await commit(async (tx) => {
    if (typeof read === 'string') await setUpload(tx, upload.id, { state: 'failed', problem: read })
    else await store(context, tx, upload, read, hash)
  })
}

/** Rethrows errors that a retry can solve, such as an unavailable storage; a missing content stays missing. */
function refuseUnlessMissing(error: Partial<Problem>): undefined {
  if (error.body?.code !== 'contentMissing') throw error
}

async function store(
  context: BulkContext,
  tx: Db,
  upload: Upload,
  read: SheetTable,
  hash: string,
): Promise<void> {
  const { id } = upload
  const findings: Findings = { columns: {}, encodings: read.encodings, hidden: null, before: null }
  for (const chunk of read.chunks) await storeRows(tx, id, chunk, read.date1904, findings)
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
    content_hash: hash,
  })
  if (upload.replaces === null)
    findings.before = await findEarlierUpload(context, tx, upload, hash, read.total)
  await setUpload(tx, id, { findings: JSON.stringify(findings) })
  await countRows(tx, id)
  await chooseColumns(context, tx, {
    ...upload,
    headings: read.headings,
    total: read.total,
    findings,
    case_type,
  })
}

/** Stores rows with their cells in writing, and adds what is unclear in them to the findings. */
async function storeRows(
  tx: Db,
  upload: number,
  chunk: string,
  date1904: boolean,
  findings: Findings,
): Promise<void> {
  const rows = (JSON.parse(chunk) as ReadRow[]).map(([row, read, hidden]) => {
    const cells = read.map((cell) => writtenCell(cell, date1904))
    findUnclear(findings.columns, row, cells)
    if (hidden) findings.hidden = { row, ...findings.hidden, count: (findings.hidden?.count ?? 0) + 1 }
    return { row, cells, hidden: hidden === 1 }
  })
  await sql`insert into bulk_rows (upload, row, cells, hidden, cells_hash)
    select ${upload}, e.row, e.cells, e.hidden, md5(e.cells::text)
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as e(row int, cells jsonb, hidden boolean)`.execute(
    tx,
  )
}

/**
 * Proposes the mapping of columns, and starts the check if it is complete and nothing is unclear. What a person has
 * chosen before is kept.
 */
export async function chooseColumns(
  context: Pick<BulkContext, 'contract' | 'settings'>,
  tx: Db,
  upload: Upload,
): Promise<void> {
  const { id, headings } = upload
  const call = await callAs(context, tx, upload.acting, `bulk-${id}`)
  const type = call && (await caseTypeOf(call, { case_type: upload.case_type }).catch(() => undefined))
  if (!call || !type) return setUpload(tx, id, { state: 'mapping', case_type: null, mapping: '{}' })
  const before = await earlierChoices(tx, upload)
  const targets = targetsOf(call.contract, type, call.me)
  const mapping = proposeMapping(headings, targets, before.targets, upload.mapping)
  const questions = questionsOf(upload, targets)
  const answers = { ...keptAnswers(questions, mapping, before.answers), ...upload.answers }
  await setUpload(tx, id, {
    state: 'mapping',
    case_type: type.id,
    case_type_version: type.version,
    mapping: JSON.stringify(mapping),
    answers: JSON.stringify(answers),
  })
  if (!isComplete(mapping, headings) || !isAnswered(questions, mapping, answers)) return
  await leaveRowsOut(tx, id, answers)
  await startJob(tx, id, 'checking', 'waiting')
}
