import type { FastifyInstance } from 'fastify'
import { sql } from 'kysely'
import { poll } from '../../core/poll.ts'
import type { Settings } from '../../core/settings.ts'
import { sendAuditEvents } from './sendAuditEvents.ts'

const POLL_INTERVAL_MS = 2000

/**
 * Sends the events of the audit to AUDIT_URL, now and every few seconds until the server closes; several servers take
 * turns. Events from before the setting are not sent; without it none are queued.
 */
export function startAuditStream(app: FastifyInstance, { AUDIT_URL }: Settings): void {
  const { db, log, ending } = app
  let isPrepared = false
  poll(app, { intervalMs: POLL_INTERVAL_MS, what: 'sending the audit' }, async () => {
    if (!isPrepared) {
      await (AUDIT_URL
        ? sql`insert into audit_stream (id) values (1) on conflict do nothing`
        : sql`with ended as (delete from audit_stream) delete from audit_outbox`
      ).execute(db)
      isPrepared = true
    }
    if (AUDIT_URL) await sendAuditEvents({ db, log, ending, url: AUDIT_URL })
  })
}
