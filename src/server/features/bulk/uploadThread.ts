import { parentPort, Worker, workerData } from 'node:worker_threads'
import { sql } from 'kysely'
import type { Contract } from '../../../contract/contract.ts'
import { type Db, openDatabase } from '../../core/db.ts'
import { isDue } from '../../core/queue.ts'
import type { Settings } from '../../core/settings.ts'
import { startTracing } from '../../core/tracing.ts'
import type { BulkContext } from './jobCall.ts'
import { isAtWork } from './upload.ts'
import { workOnWaiting } from './workOnUploads.ts'

interface ThreadData {
  database: Parameters<typeof openDatabase>
  contract: Contract
  settings: Settings
}

/** Arguments of a log call in the thread. */
type LogLine = Parameters<BulkContext['log']['warn']>

/** Size of the young generation in MB: with less, garbage collection takes a sixth of the time of a check. */
const YOUNG_GENERATION_MB = 48

/**
 * Processes the waiting uploads, if any, in a worker thread; in the main thread, the check of a row would block calls
 * between any two of their statements. `program` is the file of the bundled server.
 */
export function inUploadThread(
  program: URL,
  database: ThreadData['database'],
): (context: BulkContext) => Promise<void> {
  return async ({ db, contract, settings, log, ending }) => {
    // The server may close during the query, and the thread would get no message.
    if (!(await isWaiting(db)) || ending.aborted) return
    const data: ThreadData = { database, contract, settings }
    const thread = new Worker(program, {
      workerData: data,
      resourceLimits: { maxYoungGenerationSizeMb: YOUNG_GENERATION_MB },
    })
    const end = () => thread.postMessage('end')
    ending.addEventListener('abort', end)
    thread.on('message', (line: LogLine) => log.warn(...line))
    await new Promise<void>((resolve, reject) => {
      thread.once('error', reject)
      thread.once('exit', () => resolve())
    }).finally(() => ending.removeEventListener('abort', end))
  }
}

async function isWaiting(db: Db): Promise<boolean> {
  const { rows } = await sql`select from bulk_uploads where ${isAtWork} and ${isDue} limit 1`.execute(db)
  return rows.length > 0
}

/** The main function of the worker thread. */
export async function runUploadThread(): Promise<void> {
  const { database, contract, settings } = workerData as ThreadData
  const ending = new AbortController()
  parentPort!.once('message', () => ending.abort())
  const post = (...line: unknown[]) => parentPort!.postMessage(line)
  const log = { warn: post, info: () => undefined }
  const { slow, close } = openDatabase(...database)
  const tracing = await startTracing(settings, log)
  try {
    await workOnWaiting({ db: slow, contract, settings, log, ending: ending.signal, tracing })
  } finally {
    await Promise.all([tracing?.stop(), close()])
    parentPort!.close()
  }
}
