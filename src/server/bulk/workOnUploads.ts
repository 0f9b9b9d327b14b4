import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Call } from '../call.ts'
import type { Db } from '../db.ts'
import { asProblem } from '../problems.ts'
import { notifyOfWork } from '../staff/notifyOfWork.ts'
import { runSpan } from '../tracing/withSpan.ts'
import { applyRows } from './applyRows.ts'
import { checkRows } from './checkRows.ts'
import { type BulkContext, callAs } from './jobCall.ts'
import { readUpload } from './readUpload.ts'
import { undoRows } from './undoRows.ts'
import { JOB_STATES, setUpload, UPLOAD_COLUMNS, type Upload, type UploadState } from './upload.ts'

/** Seconds after which another server may go on with an upload; a batch takes one or two. */
const LEASE = 45

const NO_LONGER = 'The person who started this may no longer upload cases'

interface Step {
  /** Does something with the next rows; answers how many there were. */
  run: (call: Call, upload: Upload) => Promise<number>
  /** Whether each batch is followed by a rest as long as it took, in which PostgreSQL is there for others alone. */
  rests: boolean
}

/** What is done in a state. A check asks little of PostgreSQL. */
const STEPS: Partial<Record<UploadState, Step>> = {
  checking: { run: checkRows, rests: false },
  applying: { run: applyRows, rests: true },
  undoing: { run: undoRows, rests: true },
}

const loops = new WeakMap<Db, { again: boolean; done: Promise<void> }>()

/** Works on every upload that waits for a server and that no other server has leased; one loop a process is enough. */
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

/** Works on uploads until none waits. */
export async function workOnWaiting(context: BulkContext): Promise<void> {
  const worker = randomUUID()
  for (;;) {
    const upload = context.ending.aborted ? undefined : await claim(context.db, worker)
    if (!upload) return
    await workOn(context, upload, worker)
  }
}

/** Leases the next upload that has work to do; of two servers, one gets it. */
async function claim(db: Db, worker: string): Promise<Upload | undefined> {
  const { rows } = await sql<Upload>`update bulk_uploads set worker = ${worker},
      leased_until = now() + make_interval(secs => ${LEASE})
    where id = (select id from bulk_uploads where state = any(${JOB_STATES})
      and (leased_until is null or leased_until < now()) order by id limit 1 for update skip locked)
    returning ${UPLOAD_COLUMNS}`.execute(db)
  return rows[0]
}

async function workOn(context: BulkContext, upload: Upload, worker: string): Promise<void> {
  try {
    if (upload.state === 'reading')
      await traced(context, upload, () =>
        readUpload(context, upload, (store) => underLease(context.db, upload, worker, store), context),
      )
    else await workOnBatches(context, upload, worker)
  } catch (error) {
    const { code } = error as { code?: string }
    context.log.warn({ upload: upload.id, code }, 'an upload failed')
    // While the database is away nothing is wrong with the upload: a later round goes on.
    if (asProblem(error).statusCode === 503) return
    await setUpload(context.db, upload.id, {
      state: 'failed',
      problem: 'Something went wrong on the server. What was added so far is in the list of rows',
    })
  }
  await giveBack(context.db, upload.id, worker)
}

/** Does batch after batch until there are no more rows. */
async function workOnBatches(context: BulkContext, upload: Upload, worker: string): Promise<void> {
  let isMore = true
  while (isMore && !context.ending.aborted) {
    const began = performance.now()
    isMore = await traced(context, upload, () => nextBatch(context, upload, worker))
    if (isMore && STEPS[upload.state]?.rests) await sleep(performance.now() - began)
  }
}

/** Runs a piece of work as a trace of its own: that of a whole upload would have thousands of queries. */
function traced<T>(
  { log, settings, tracing }: BulkContext,
  upload: Upload,
  work: () => Promise<T>,
): Promise<T> {
  const job = `bulk ${upload.state}`
  const attributes = { 'casework.job': job, 'casework.upload': upload.id }
  const span = tracing?.begin(job, { attributes })
  return runSpan({ for: { job }, log, slow: settings.SLOW_QUERY_MS, span }, work)
}

/** Ends the lease, and notifies the person who started the job unless another server goes on with it. */
function giveBack(db: Db, id: number, worker: string): Promise<void> {
  return db.transaction().execute(async (tx) => {
    const { rows } = await sql<{ state: UploadState; acting: number }>`update bulk_uploads
      set worker = null, leased_until = null where id = ${id} and worker = ${worker} returning state, acting`.execute(
      tx,
    )
    if (!rows[0] || JOB_STATES.includes(rows[0].state)) return
    await notifyOfWork(tx, { kind: 'upload', by: null, to: new Map([[id, rows[0].acting]]) })
  })
}

/** Does some rows in one transaction; false where that was the last of them, or the lease went to another server. */
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

/** Runs a transaction while the upload is in its state and leased by this worker; false where it is not. */
function underLease(
  db: Db,
  { id, state }: Pick<Upload, 'id' | 'state'>,
  worker: string,
  run: (tx: Db, upload: Upload) => Promise<void>,
): Promise<boolean> {
  return db.transaction().execute(async (tx) => {
    const { rows } =
      await sql<Upload>`update bulk_uploads set leased_until = now() + make_interval(secs => ${LEASE})
      where id = ${id} and worker = ${worker} and state = ${state} returning ${UPLOAD_COLUMNS}`.execute(tx)
    if (!rows[0]) return false
    await run(tx, rows[0])
    return true
  })
}
