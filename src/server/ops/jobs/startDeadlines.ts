import type { FastifyInstance } from 'fastify'
import type { Contract } from '../../../contract/contract.ts'
import { poll } from '../../core/poll.ts'
import type { Settings } from '../../core/settings.ts'
import { today } from '../../core/today.ts'
import { evaluateLeft } from '../../features/automations/evaluateLeft.ts'
import { turnDeadlines } from '../../features/deadlines/turnDeadlines.ts'

const INTERVAL_MS = 60_000

/**
 * Looks every minute whether a day has begun by which deadlines turned soon or late, and evaluates what is left to
 * evaluate, such as the automations that look at them. Of several servers one does each piece.
 */
export function startDeadlines(app: FastifyInstance, contract: Contract, settings: Settings): void {
  const { db, log, ending } = app
  poll(app, { intervalMs: INTERVAL_MS, delayMs: INTERVAL_MS, what: 'turning deadlines' }, async () => {
    await turnDeadlines(db, today(settings.TIME_ZONE))
    await evaluateLeft({ db, contract, log, settings, ending })
  })
}
