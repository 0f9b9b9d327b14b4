import { setTimeout as sleep } from 'node:timers/promises'
import { StartProblem } from '../start/startProblem.ts'
import { type Launch, logFile } from './launch.ts'
import { findRunning, type Running, readPidFile } from './running.ts'

// After kill -9 the dead server's last processes hold its memory for a moment, or another copy starts too.
const passing = /postmaster\.pid|shared memory/

/** Connects to the server of the folder, calling `start` when none answers; waits for it to recover. */
export async function connectOrStart(
  folder: string,
  start: () => Promise<Launch>,
): Promise<{ running: Running; adopted: boolean }> {
  const released = Date.now() + 10_000
  const recovered = Date.now() + 120_000
  let launched: Launch | undefined
  while (Date.now() < recovered) {
    const running = await findRunning(folder)
    const failure = launched?.failure()
    if (running && running !== 'busy') return { running, adopted: !launched || failure !== undefined }
    if (running === undefined && (!launched || failure !== undefined)) {
      if (failure !== undefined) await waitOrGiveUp(folder, failure, released)
      launched = await start()
    }
    await sleep(running ? 100 : 20) // who knocks is logged
  }
  throw new StartProblem(
    `PostgreSQL is still recovering the data folder ${folder} after two minutes. Its log is ` +
      `${logFile(folder)}; start the app again when it is done.`,
  )
}

async function waitOrGiveUp(folder: string, failure: string, until: number): Promise<void> {
  if (passing.test(failure) && Date.now() < until) return sleep(300)
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
