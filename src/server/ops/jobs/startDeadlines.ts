import type { FastifyInstance } from 'fastify'
import type { Contract } from '../../../contract/contract.ts'
import { poll } from '../../core/poll.ts'
import type { Settings } from '../../core/settings.ts'
import { today } from '../../core/today.ts'
import { evaluateLeft } from '../../features/automations/evaluateLeft.ts'
import { turnDeadlines } from '../../features/deadlines/turnDeadlines.ts'

const INTERVAL_MS = 60_000

/**
 * Checks every minute whether deadlines became soon or late by a new day, and evaluates the changes that are left, such
 * as those of automations that look at deadlines. Several servers share the work.
 */
export function startDeadlines(app: FastifyInstance, contract: Contract, settings: Settings): void {
  const { db, log, ending } = app
  poll(app, { intervalMs: INTERVAL_MS, delayMs: INTERVAL_MS, what: 'turning deadlines' }, async () => {
    await turnDeadlines(db, today(settings.TIME_ZONE))
    await evaluateLeft({ db, contract, log, settings, ending })
  })
}
