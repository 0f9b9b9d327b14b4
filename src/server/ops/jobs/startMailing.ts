import type { FastifyInstance } from 'fastify'
import { poll } from '../../core/poll.ts'
import type { Settings } from '../../core/settings.ts'
import { sendMails } from './sendMails.ts'

/** An urgent mail leaves within so many milliseconds after the commit of its notice. */
const POLL_INTERVAL_MS = 2000

/** Sends the queued mails of notices, now and every few seconds until the server closes. */
export function startMailing(app: FastifyInstance, settings: Settings): void {
  const { db, log, ending } = app
  poll(app, { intervalMs: POLL_INTERVAL_MS, what: 'sending mails' }, () =>
    sendMails({ db, settings, log, ending }),
  )
}
