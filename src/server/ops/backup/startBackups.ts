import { Worker } from 'node:worker_threads'
import type { FastifyBaseLogger, FastifyInstance } from 'fastify'
import { sql } from 'kysely'
import type { Db } from '../../core/db.ts'
import type { Settings } from '../../core/settings.ts'
import { StartProblem } from '../../core/startProblem.ts'
import { sizeInWords } from '../transfer/diskSpace.ts'
import { bytesOf } from '../transfer/manifest.ts'
import { MAY_REPEAT, recordRun } from '../transfer/recordRun.ts'
import { backUp } from './backUp.ts'
import type { BackupThreadData } from './backupThread.ts'
import { lastSlot } from './slot.ts'

/** Milliseconds between two looks at the clock. */
const INTERVAL_MS = 60_000

export interface ScheduledBackup {
  /** Address of the database itself, without a pooler. */
  url: string
  settings: Settings
  slot: Date
  log: Pick<FastifyBaseLogger, 'info' | 'error'>
  ending: AbortSignal
}

/**
 * Starts the daily backup of BACKUP_AT, looking at the clock every minute: one of several servers does it, and one that
 * was off at that time catches up. `program` is the file of the bundled server, in whose thread backups are written.
 */
export function startBackups(
  { db, log, ending, pendingWork }: FastifyInstance,
  { url, settings, program }: { url: string; settings: Settings; program?: URL },
): void {
  const { BACKUP_AT, TIME_ZONE } = settings
  if (!BACKUP_AT) return
  let isRunning = false
  const look = () => {
    if (isRunning) return
    isRunning = true
    const slot = lastSlot(BACKUP_AT, TIME_ZONE, new Date())
    const scheduled = { url, settings, slot, log, ending }
    const done = isDue(db, slot)
      .then((is) => (is && !ending.aborted ? run(scheduled, program) : undefined))
      .catch((error) => log.error({ code: error.code }, 'the daily backup could not be started'))
      .finally(() => {
        isRunning = false
        pendingWork.delete(done)
      })
    pendingWork.add(done)
  }
  const timer = setInterval(look, INTERVAL_MS)
  timer.unref()
  ending.addEventListener('abort', () => clearInterval(timer))
  look()
}

/** True if no server has done the backup of a slot or is doing it. */
export async function isDue(db: Db, slot: Date): Promise<boolean> {
  const { rows } = await sql`select from job_runs
    where name = 'backup' and hour = ${slot} and not ${sql.raw(MAY_REPEAT)}`.execute(db)
  return rows.length === 0
}

/** Does the backup of a slot unless another server has it; a failure is logged in words. */
export async function backUpSlot({ url, settings, slot, log, ending }: ScheduledBackup): Promise<void> {
  try {
    const made = await recordRun(url, { name: 'backup', slot }, (progress) =>
      backUp(url, settings, { progress, signal: ending }),
    )
    if (!made) return
    const { folder, manifest, deleted } = made
    log.info({ folder, size: sizeInWords(bytesOf(manifest)), deleted }, 'the daily backup is done')
  } catch (error) {
    const { name, code, message } = error as Error & { code?: string }
    if (name === 'AbortError') return
    // Other messages may quote rows.
    log.error({ code, why: error instanceof StartProblem ? message : undefined }, 'the daily backup failed')
  }
}

/** In a thread, because compressing and encrypting would delay calls. */
async function run(scheduled: ScheduledBackup, program?: URL): Promise<void> {
  if (!program) return await backUpSlot(scheduled)
  const { url, settings, slot, log, ending } = scheduled
  const data: BackupThreadData = { backup: { url, settings, slot } }
  const thread = new Worker(program, { workerData: data })
  const end = () => thread.postMessage('end')
  ending.addEventListener('abort', end)
  thread.on('message', ([level, ...line]: ['info' | 'error', object, string]) => log[level](...line))
  await new Promise<void>((resolve, reject) => {
    thread.once('error', reject)
    thread.once('exit', () => resolve())
  }).finally(() => ending.removeEventListener('abort', end))
}
