import type { FastifyInstance } from 'fastify'
import { poll } from '../../core/poll.ts'
import { workOnMigrations } from '../../features/caseTypes/workOnMigrations.ts'

/** Interval at which a server looks for answers that another one has left to move, in milliseconds. */
const POLL_INTERVAL_MS = 5000

/** Moves answers that a publication takes along, with the other servers, until this one closes. */
export function startMigrations(app: FastifyInstance): void {
  const { db, log, ending } = app
  poll(app, { intervalMs: POLL_INTERVAL_MS, what: 'moving answers' }, () =>
    workOnMigrations({ db, log, ending }),
  )
}
