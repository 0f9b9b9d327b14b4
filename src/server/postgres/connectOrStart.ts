import { setTimeout as sleep } from 'node:timers/promises'
import { StartProblem } from '../start/startProblem.ts'
import { type Launch, logFile } from './launch.ts'
import { findRunning, type Running, readPidFile } from './running.ts'

// Transient failures: after kill -9 the last processes keep the shared memory for a moment, or another copy starts too.
const transient = /postmaster\.pid|shared memory/

/** Connects to the server of the folder, calls `start` if none answers, and waits for its recovery. */
export async function connectOrStart(
  folder: string,
  start: () => Promise<Launch>,
): Promise<{ running: Running; adopted: boolean }> {
  const releaseDeadline = Date.now() + 10_000
  const recoveryDeadline = Date.now() + 120_000
  let launched: Launch | undefined
  while (Date.now() < recoveryDeadline) {
    const running = await findRunning(folder)
    const failure = launched?.failure()
    if (running && running !== 'busy') return { running, adopted: !launched || failure !== undefined }
    if (running === undefined && (!launched || failure !== undefined)) {
      if (failure !== undefined) await waitOrGiveUp(folder, failure, releaseDeadline)
      launched = await start()
    }
    await sleep(running ? 100 : 20) // PostgreSQL logs each attempt while it is busy
  }
  throw new StartProblem(
    `PostgreSQL is still recovering the data folder ${folder} after two minutes. Its log is ` +
      `${logFile(folder)}; start the app again when it is done.`,
  )
}

async function waitOrGiveUp(folder: string, failure: string, deadline: number): Promise<void> {
  if (transient.test(failure) && Date.now() < deadline) return sleep(300)
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
