import { sql } from 'kysely'
import { afterReply } from '../../core/afterReply.ts'
import type { Call } from '../../core/call.ts'
import { fieldProblem, problem } from '../../core/problems.ts'
import type { SentFile } from '../../core/sentFile.ts'
import { writeAuditEvent } from '../../records/audit/audit.ts'
import { isWideText } from '../../records/files/decodeText.ts'
import { storeFile } from '../../records/files/saveFile.ts'
import { zipContents } from '../../records/files/zip.ts'
import { fetch } from '../../records/verbs/read.ts'
import { UPLOADED_FILE } from './readUpload.ts'
import {
  countRows,
  JOB_STATES,
  setUpload,
  startJob,
  UNDO_DAYS,
  UPLOAD_COLUMNS,
  type Upload,
  type UploadState,
} from './upload.ts'
import { workOnUploads } from './workOnUploads.ts'

export async function addUpload(
  call: Call,
  file: SentFile,
  columns: { case_type: number | null; apply_unasked: boolean; replaces?: number },
): Promise<number> {
  const wrong = uploadProblem(file)
  if (wrong) throw fieldProblem({ file: [call.files!.length > 1 ? `${file.name}: ${wrong}` : wrong] })
  const { rows } = await sql<{ id: number }>`insert into bulk_uploads
      (name, hub, case_type, apply_unasked, replaces, created_by, acting)
    values ('', ${call.me.hub}, ${columns.case_type}, ${columns.apply_unasked}, ${columns.replaces ?? null}, ${call.me.id}, ${call.me.id})
    returning id`.execute(call.db)
  const [{ id }] = rows
  const { name } = await storeFile(call, file, { entity: UPLOADED_FILE, record: id })
  await setUpload(call.db, id, { name })
  await writeAuditEvent(call, { action: 'create', entity: 'bulkUpload', record: id, version: 1 })
  return id
}

export async function replyWith(call: Call, ids: number[]) {
  startWork(call)
  call.reply.code(201)
  const data = []
  for (const id of ids) data.push(await fetch(call, call.contract.entities.bulkUpload, id))
  return { data }
}

/** Locks a visible upload until the end of the call; throws if its rows were deleted after UNDO_DAYS. */
export async function lockUpload(call: Call, id = Number(call.params.id)): Promise<Upload> {
  await fetch(call, call.contract.entities.bulkUpload, id)
  const { rows } =
    await sql<Upload>`select ${UPLOAD_COLUMNS} from bulk_uploads where id = ${id} for update`.execute(call.db)
  if (rows[0].forgotten_at !== null)
    throw problem('uploadState', {
      message: `This upload is older than ${UNDO_DAYS} days, and its rows were deleted`,
    })
  return rows[0]
}

export async function visibleUpload(call: Call, id = Number(call.params.id)): Promise<Upload> {
  await fetch(call, call.contract.entities.bulkUpload, id)
  const { rows } = await sql<Upload>`select ${UPLOAD_COLUMNS} from bulk_uploads where id = ${id}`.execute(
    call.db,
  )
  return rows[0]
}

export function refuseUnless(state: UploadState, states: UploadState[]): void {
  if (states.includes(state)) return
  throw problem(JOB_STATES.includes(state) ? 'uploadBusy' : 'uploadState')
}

export function idOf(text: unknown): number {
  if (!/^\d{1,9}$/.test(String(text))) throw problem('notFound')
  return Number(text)
}

/** Reads the file again, in the encoding that a person has chosen; nothing was added from it yet. */
export async function readAgain({ db }: Call, id: number): Promise<void> {
  await sql`delete from bulk_rows where upload = ${id}`.execute(db)
  await setUpload(db, id, { state: 'reading' })
}

/** Validates again all rows that are neither added nor skipped. */
export async function recheck({ db }: Call, id: number): Promise<void> {
  await sql`update bulk_rows set state = 'waiting', errors = '[]'
    where upload = ${id} and state in ('wrong', 'duplicate', 'ready', 'waiting')`.execute(db)
  await countRows(db, id)
  await setUpload(db, id, { apply_unasked: false })
  await startJob(db, id, 'checking', 'waiting')
}

/** Starts the job after the reply was sent; if this server dies, another one continues it. */
export function startWork(call: Call): void {
  const { contract, settings, request } = call
  const { ending, log, tracing, uploadThread } = request.server
  afterReply(call, (db) => workOnUploads({ db, contract, settings, log, ending, tracing, uploadThread }))
}

/** Extensions of spreadsheets that are not accepted, with messages that say what to do. */
const REFUSED: Record<string, string> = {
  xlsm: 'A workbook with macros cannot be uploaded: save it as an .xlsx workbook without them',
  xlsb: 'A binary workbook cannot be uploaded: save it as an .xlsx workbook',
  xls: 'An old Excel workbook cannot be uploaded: save it as an .xlsx workbook',
  ods: 'An OpenDocument spreadsheet cannot be uploaded: save it as an .xlsx workbook',
}

/** The problem of a file that can be seen before it is read, in a sentence. */
function uploadProblem({ name = '', content }: SentFile): string | undefined {
  const extension = name.split('.').at(-1)!.toLowerCase()
  if (content.length === 0) return 'The file is empty'
  if (extension === 'csv')
    return !content.includes(0) || isWideText(content)
      ? undefined
      : 'The file is not text, as a .csv file must be'
  if (extension !== 'xlsx') return REFUSED[extension] ?? 'The file must be an .xlsx or .csv file'
  return zipContents(content)
    ? undefined
    : 'The file is not an Excel workbook, although its name ends in .xlsx'
}
