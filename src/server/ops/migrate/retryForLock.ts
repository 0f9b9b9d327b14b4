import { setTimeout as sleep } from 'node:timers/promises'
import { isBusy } from '../../core/sqlProblem.ts'
import { StartProblem } from '../../core/startProblem.ts'

/**
 * A statement that waits for a lock blocks all later ones, so it gives up soon and is tried again. The timeout is less
 * than PostgreSQL's deadlock_timeout of a second, after which it could cancel a call instead.
 */
export const LOCK_TIMEOUT_MS = 500
const FIRST_PAUSE_MS = 200
const MAX_PAUSE_MS = 10_000

interface Retry {
  /** Seconds after which it gives up. */
  patience: number
  report: (words: string) => void
  /** What is to be done, for messages. */
  what: string
  /** What the work waits for right now, in words. */
  waitsFor: () => Promise<string | undefined>
}

/** Does work again, with growing pauses in which others are served, until it gets its locks; says what it waits for. */
export async function retryForLock<T>(
  work: () => Promise<T>,
  { patience, report, what, waitsFor }: Retry,
): Promise<T> {
  const deadline = performance.now() + patience * 1000
  for (let pause = FIRST_PAUSE_MS; ; pause = Math.min(pause * 1.5, MAX_PAUSE_MS)) {
    let reason: string | undefined
    const watch = setTimeout(async () => {
      reason = await waitsFor().catch(() => undefined)
    }, LOCK_TIMEOUT_MS / 2)
    try {
      return await work()
    } catch (error) {
      if (!isBusy(error)) throw error
      const left = deadline - performance.now()
      const waiting = `${what} waits for ${reason ?? 'a lock of another session'}`
      if (left <= 0)
        throw new StartProblem(
          `The database cannot be migrated: ${waiting}, and has tried for ${patience} seconds (MIGRATE_PATIENCE). ` +
            'What was done before stays, and the next start goes on from there. Start again when less is going on.',
        )
      report(`${waiting}. It tries again for up to ${Math.ceil(left / 60_000)} min.`)
      await sleep(Math.min(pause, left))
    } finally {
      clearTimeout(watch)
    }
  }
}
