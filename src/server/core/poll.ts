import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'

interface Options {
  intervalMs: number
  /** Milliseconds before the first run. */
  delayMs?: number
  /** What the log says failed. */
  what: string
}

/**
 * Runs work soon and again at an interval until the server closes, which waits for the work; a run that takes longer is
 * not joined by another one.
 */
export function poll(
  { ending, pendingWork, log }: Pick<FastifyInstance, 'ending' | 'pendingWork' | 'log'>,
  { intervalMs, delayMs = 0, what }: Options,
  work: () => Promise<unknown>,
): void {
  let isRunning = false
  const run = async (delay: number) => {
    if (isRunning) return
    isRunning = true
    try {
      if (delay > 0) await sleep(delay, undefined, { signal: ending }).catch(() => undefined)
      if (!ending.aborted) await work()
    } catch (error) {
      log.warn({ code: (error as { code?: string }).code }, `${what} failed`)
    }
    isRunning = false
  }
  const start = (delay = 0) => {
    const done = run(delay)
    pendingWork.add(done)
    done.finally(() => pendingWork.delete(done))
  }
  const timer = setInterval(start, intervalMs)
  timer.unref()
  ending.addEventListener('abort', () => clearInterval(timer))
  start(delayMs)
}
