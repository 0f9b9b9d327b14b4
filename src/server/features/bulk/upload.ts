import { sql } from 'kysely'
import type { Values } from '../../../contract/when.ts'
import type { Db } from '../../core/db.ts'
import type { Queue } from '../../core/queue.ts'
import type { SheetCell } from '../../records/files/writtenCell.ts'
import { assignments } from '../../records/query/columns.ts'
import type { Mapping } from './mapping.ts'
import type { Answers, Findings } from './questions.ts'

/** An uploaded file of cases: a row of bulk_uploads. */
export interface Upload {
  id: number
  name: string
  hub: number | null
  case_type: number | null
  replaces: number | null
  state: UploadState
  headings: string[]
  mapping: Mapping
  date1904: boolean
  /** Null for a file that an earlier release read, in which numbers may be dates. */
  findings: Findings | null
  answers: Answers
  apply_unasked: boolean
  total: number
  applied_at: Date | null
  forgotten_at: Date | null
  created_by: number
  acting: number
}
export type UploadState =
  | 'reading'
  | 'mapping'
  | 'checking'
  | 'ready'
  | 'applying'
  | 'done'
  | 'undoing'
  | 'undone'
  | 'failed'

/** States in which an upload waits for a server or is processed by one. */
export const JOB_STATES: UploadState[] = ['reading', 'checking', 'applying', 'undoing']

/** Uploads as work for servers; a batch, which renews the lease, takes one or two seconds. */
export const UPLOAD_QUEUE: Queue = { table: 'bulk_uploads', leaseSeconds: 45 }
export const isAtWork = sql`state = any(${JOB_STATES})`

/** An error in a row; the column counts from 0, and is null if the error is in no column. */
export interface RowError {
  column: number | null
  /** The path of a value for which the file has no column. */
  target?: string
  value: string | null
  message: string
}

/** A row of an uploaded file: a row of bulk_rows. */
export interface UploadRow {
  id: number
  row: number
  state: string
  cells: SheetCell[]
  decision: 'use' | 'new' | 'skip' | 'same' | null
  chosen: number | null
  /** The first row of the same person, by its id, and that person once added. */
  same_as: number | null
  same_client: number | null
  client: number | null
  case: number | null
  client_added: boolean
}

/** Days after which an upload cannot be undone and its rows are deleted. */
export const UNDO_DAYS = 14

/** Columns of bulk_uploads for an Upload. */
export const UPLOAD_COLUMNS = sql.raw(
  'id, name, hub, case_type, replaces, state, headings, mapping, date1904, findings, answers, apply_unasked, total, applied_at, forgotten_at, created_by, acting',
)
/** Columns of bulk_rows for an UploadRow. */
export const ROW_COLUMNS = sql.raw(
  `id, row, state, cells, decision, chosen, same_as, client, "case", client_added,
    (select f.client from bulk_rows f where f.id = bulk_rows.same_as) as same_client`,
)

export async function setUpload(db: Db, id: number, values: Values): Promise<void> {
  await sql`update bulk_uploads set ${assignments(values)}, updated_at = now() where id = ${id}`.execute(db)
}

/** Queues a job for an upload: sets the state that servers poll for, and the number of rows to process. */
export async function startJob(db: Db, id: number, state: UploadState, rowsIn: string): Promise<void> {
  await sql`update bulk_uploads set state = ${state}, job_done = 0, job_started_at = now(), leased_until = null, worker = null,
    run_at = now(), attempts = 0, last_error = null,
    job_total = (select count(*) from bulk_rows where upload = ${id} and state = ${rowsIn}), updated_at = now()
    where id = ${id}`.execute(db)
}

export async function countRows(db: Db, id: number): Promise<void> {
  await sql`update bulk_uploads set counts = coalesce((select jsonb_object_agg(state, n)
      from (select state, count(*)::int as n from bulk_rows where upload = ${id} group by state) s), '{}'), updated_at = now()
    where id = ${id}`.execute(db)
}
