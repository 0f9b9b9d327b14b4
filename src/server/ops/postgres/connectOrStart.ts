import { setTimeout as sleep } from 'node:timers/promises'
import { StartProblem } from '../../core/startProblem.ts'
import { type Patience, patience } from '../../http/patience.ts'
import { type Launch, logFile } from './launch.ts'
import { findRunning, type Running, readPidFile } from './running.ts'

// Transient failures: after kill -9 the last processes keep the shared memory for a moment, or another copy starts too.
const transient = /postmaster\.pid|shared memory/
const RECOVERY_MS = 120_000

/** Connects to the server of the folder, calls `start` if none answers, and waits for its recovery. */
export async function connectOrStart(
  folder: string,
  start: () => Promise<Launch>,
  waiting: Patience,
): Promise<{ running: Running; adopted: boolean }> {
  const deadline = Date.now() + RECOVERY_MS
  let recovery: Patience | undefined
  let launched: Launch | undefined
  while (Date.now() < deadline) {
    const running = await findRunning(folder)
    const failure = launched?.failure()
    if (running && running !== 'busy') return { running, adopted: !launched || failure !== undefined }
    if (running === undefined && (!launched || failure !== undefined)) {
      if (failure !== undefined) await waitOrGiveUp(folder, failure, waiting)
      launched = await start()
    }
    if (running) {
      recovery ??= patience(RECOVERY_MS)
      await recovery.wait(`The PostgreSQL of the data folder ${folder} is recovering or shutting down.`)
    } else await sleep(20)
  }
  throw new StartProblem(
    `PostgreSQL is still recovering the data folder ${folder} after two minutes. Its log is ` +
      `${logFile(folder)}; start the app again when it is done.`,
  )
}

async function waitOrGiveUp(folder: string, failure: string, waiting: Patience): Promise<void> {
  const held = `The data folder ${folder} is in use by the PostgreSQL of a previous copy.`
  if (transient.test(failure) && (await waiting.wait(held))) return
  const pid = readPidFile(folder)?.pid
  if (failure.includes('postmaster.pid') && pid !== undefined) {
    throw new StartProblem(
      `A PostgreSQL server (process ${pid}) seems to hold the data folder ${folder} and does not answer. ` +
        `Stop it with "kill -INT ${pid}" and start the app again; if process ${pid} is something else, ` +
        `delete ${folder}/postmaster.pid first.`,
    )
  }
  throw new StartProblem(
    `PostgreSQL did not start on the data folder ${folder}: ${failure}. Its log is ${logFile(folder)}.`,
  )
}
