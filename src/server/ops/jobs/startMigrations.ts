import type { FastifyInstance } from 'fastify'
import { poll } from '../../core/poll.ts'
import type { Settings } from '../../core/settings.ts'
import { workOnMigrations } from '../../features/caseTypes/workOnMigrations.ts'
import { revalidateRecords } from '../../records/validate/revalidateRecords.ts'

/** Interval at which a server looks for answers that another one has left to move, in milliseconds. */
const POLL_INTERVAL_MS = 5000

/**
 * Moves answers that a publication takes along, with the other servers, until this one closes. Records are validated
 * after that: the server that published leaves out those whose answers were not moved yet.
 */
export function startMigrations(app: FastifyInstance, settings: Settings): void {
  const { db, log, ending } = app
  const { TIME_ZONE: timeZone, BANK_HOLIDAYS: bankHolidays } = settings
  poll(app, { intervalMs: POLL_INTERVAL_MS, what: 'moving answers' }, async () => {
    const done = await workOnMigrations({ db, log, ending })
    if (done > 0) await revalidateRecords({ db, timeZone, bankHolidays, ending })
  })
}
