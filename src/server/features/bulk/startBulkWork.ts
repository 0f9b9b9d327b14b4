import type { FastifyInstance } from 'fastify'
import { poll } from '../../core/poll.ts'
import type { BulkContext } from './jobCall.ts'
import { workOnUploads } from './workOnUploads.ts'

/** Interval at which uploads that another server left unfinished are polled, in milliseconds. */
const POLL_INTERVAL_MS = 5000

/** Continues uploads that no server is processing, now and every few seconds until the server closes. */
export function startBulkWork(
  app: FastifyInstance,
  context: Pick<BulkContext, 'contract' | 'settings'>,
): void {
  const { db, log, ending, tracing, uploadThread } = app
  poll(app, { intervalMs: POLL_INTERVAL_MS, what: 'looking for uploads' }, () =>
    workOnUploads({ db, log, ending, tracing, uploadThread, ...context }),
  )
}
