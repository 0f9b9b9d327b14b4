import type { FastifyInstance } from 'fastify'
import type { Contract } from '../../../contract/contract.ts'
import type { Settings } from '../../core/settings.ts'
import { today } from '../../core/today.ts'
import { evaluateLeft } from '../../features/automations/evaluateLeft.ts'
import { turnDeadlines } from '../../features/deadlines/turnDeadlines.ts'

const INTERVAL_MS = 60_000

/**
 * Looks every minute whether a day has begun by which deadlines turned soon or late, and evaluates what is left to
 * evaluate, such as the automations that look at them. Of several servers one does each piece.
 */
export function startDeadlines(
  { db, log, ending, pendingWork }: FastifyInstance,
  contract: Contract,
  settings: Settings,
): void {
  let isRunning = false
  const look = () => {
    if (isRunning) return
    isRunning = true
    const done = turnDeadlines(db, today(settings.TIME_ZONE))
      .then(() => evaluateLeft({ db, contract, settings, ending }))
      .then(() => undefined)
      .catch(({ code }: { code?: string }) =>
        log.warn({ code }, 'the deadlines of today could not be turned'),
      )
      .finally(() => {
        isRunning = false
        pendingWork.delete(done)
      })
    pendingWork.add(done)
  }
  const timer = setInterval(look, INTERVAL_MS)
  timer.unref()
  ending.addEventListener('abort', () => clearInterval(timer))
}
