import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Call } from '../../core/call.ts'
import type { Db } from '../../core/db.ts'
import { asProblem } from '../../core/problems.ts'
import { type Lease, leaseNext, postpone, releaseLease, renewLease } from '../../core/queue.ts'
import { tallySlowQueries } from '../../core/slowQueries.ts'
import { runSpan } from '../../core/withSpan.ts'
import { notifyOfRecords } from '../../records/workNotices/notifyOfChanges.ts'
import { applyRows } from './applyRows.ts'
import { checkRows } from './checkRows.ts'
import { type BulkContext, callAs } from './jobCall.ts'
import { readUpload } from './readUpload.ts'
import { undoRows } from './undoRows.ts'
import {
  isAtWork,
  JOB_STATES,
  setUpload,
  UPLOAD_COLUMNS,
  UPLOAD_QUEUE,
  type Upload,
  type UploadState,
} from './upload.ts'

/** Maximum number of immediate attempts of a step that times out in PostgreSQL. */
const MAX_ATTEMPTS = 3

const NO_LONGER = 'The person who started this may no longer upload cases'
const TOO_SLOW = 'The database took too long. What was added so far is in the list of rows'
const BROKEN = 'Something went wrong on the server. What was added so far is in the list of rows'

interface Step {
  /** Processes the next rows and returns their number. */
  run: (call: Call, upload: Upload) => Promise<number>
  /** True if each batch is followed by a pause of its duration, in which PostgreSQL serves others only. */
  rests: boolean
}

/** The step of each state. A check is little work for PostgreSQL and needs no pauses. */
const STEPS: Partial<Record<UploadState, Step>> = {
  checking: { run: checkRows, rests: false },
  applying: { run: applyRows, rests: true },
  undoing: { run: undoRows, rests: true },
}

const loops = new WeakMap<Db, { again: boolean; done: Promise<void> }>()

/** Processes all waiting uploads that no other server has leased, with one loop per process. */
export function workOnUploads(context: BulkContext): Promise<void> {
  const running = loops.get(context.db)
  if (running) {
    running.again = true
    return running.done
  }
  const loop = { again: true, done: Promise.resolve() }
  loops.set(context.db, loop)
  loop.done = work(context, loop).finally(() => loops.delete(context.db))
  return loop.done
}

async function work(context: BulkContext, loop: { again: boolean }): Promise<void> {
  while (loop.again) {
    loop.again = false
    await (context.uploadThread ?? workOnWaiting)(context)
  }
}

/** Processes uploads until none is waiting. */
export async function workOnWaiting(context: BulkContext): Promise<void> {
  const worker = randomUUID()
  for (;;) {
    if (context.ending.aborted) return
    const upload = await leaseNext<Upload>(context.db, UPLOAD_QUEUE, worker, {
      where: isAtWork,
      returning: UPLOAD_COLUMNS,
    })
    if (!upload) return
    await workOn(context, upload, worker)
  }
}

async function workOn(context: BulkContext, upload: Upload, worker: string): Promise<void> {
  try {
    if (upload.state === 'reading')
      await withRetries(context, upload, () =>
        readUpload(context, upload, (store) => underLease(context.db, upload, worker, store)),
      )
    else await workOnBatches(context, upload, worker)
  } catch (error) {
    const { code } = error as { code?: string }
    context.log.warn({ upload: upload.id, code }, 'an upload failed')
    // If the database or the storage is unavailable the upload has not failed: a later round continues it.
    if (asProblem(error).statusCode === 503 && !isTimeout(error)) {
      await postpone(context.db, UPLOAD_QUEUE, { id: upload.id, worker }, { code }).catch(() => undefined)
      return
    }
    await underLease(context.db, upload, worker, (tx) =>
      setUpload(tx, upload.id, { state: 'failed', problem: isTimeout(error) ? TOO_SLOW : BROKEN }),
    )
  }
  await giveBack(context, { id: upload.id, worker })
}

/** Processes batches until there are no more rows. */
async function workOnBatches(context: BulkContext, upload: Upload, worker: string): Promise<void> {
  let isMore = true
  while (isMore && !context.ending.aborted) {
    const startedAt = performance.now()
    isMore = await withRetries(context, upload, () => nextBatch(context, upload, worker))
    if (isMore && STEPS[upload.state]?.rests) await sleep(performance.now() - startedAt)
  }
}

/** Runs a step and retries it after timeouts; throws the last one. */
async function withRetries<T>(context: BulkContext, upload: Upload, step: () => Promise<T>): Promise<T> {
  for (let left = MAX_ATTEMPTS - 1; ; left--) {
    try {
      return await traced(context, upload, step)
    } catch (error) {
      if (!isTimeout(error) || left === 0) throw error
    }
  }
}

function isTimeout(error: unknown): boolean {
  return asProblem(error).body.code === 'noAnswer'
}

/** Runs a batch as a separate trace, because a trace of a whole upload would have thousands of queries. */
function traced<T>(
  { log, settings, tracing }: BulkContext,
  upload: Upload,
  work: () => Promise<T>,
): Promise<T> {
  const job = `bulk ${upload.state}`
  const attributes = { 'casework.job': job, 'casework.upload': upload.id }
  const span = tracing?.begin(job, { attributes })
  return tallySlowQueries({ for: { job }, log, slow: settings.SLOW_QUERY_MS, span }, (tallied) =>
    runSpan(tallied, work),
  )
}

/** Releases the lease and, if the job has ended, notifies the person who started it. */
function giveBack({ db, contract }: Pick<BulkContext, 'db' | 'contract'>, lease: Lease): Promise<void> {
  return db.transaction().execute(async (tx) => {
    const upload = await releaseLease<Pick<Upload, 'state' | 'acting'>>(tx, UPLOAD_QUEUE, lease, {
      returning: sql`state, acting`,
    })
    if (!upload || JOB_STATES.includes(upload.state)) return
    await notifyOfRecords({ db: tx, contract, by: null }, 'bulkUpload', [lease.id])
  })
}

/** Processes a batch in one transaction; false if there are no more rows, or another server has the lease now. */
async function nextBatch(context: BulkContext, { id, state }: Upload, worker: string): Promise<boolean> {
  let isMore = false
  const isOurs = await underLease(context.db, { id, state }, worker, async (tx, upload) => {
    const call = await callAs(context, tx, upload.acting, `bulk-${id}`)
    if (!call) return setUpload(tx, id, { state: 'failed', problem: NO_LONGER })
    const done = await STEPS[state]!.run(call, upload)
    await sql`update bulk_uploads set job_done = job_done + ${done} where id = ${id} and state in (${state}, 'ready', 'done', 'undone')`.execute(
      tx,
    )
    isMore = done > 0
  })
  return isOurs && isMore
}

/** Runs a transaction if the upload is still in its state and leased by this worker; otherwise returns false. */
function underLease(
  db: Db,
  { id, state }: Pick<Upload, 'id' | 'state'>,
  worker: string,
  run: (tx: Db, upload: Upload) => Promise<void>,
): Promise<boolean> {
  return db.transaction().execute(async (tx) => {
    const upload = await renewLease<Upload>(
      tx,
      UPLOAD_QUEUE,
      { id, worker },
      { where: sql`state = ${state}`, returning: UPLOAD_COLUMNS },
    )
    if (!upload) return false
    await run(tx, upload)
    return true
  })
}
