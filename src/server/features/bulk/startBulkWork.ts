import type { FastifyInstance } from 'fastify'
import type { BulkContext } from './jobCall.ts'
import { workOnUploads } from './workOnUploads.ts'

/** Interval at which uploads that another server left unfinished are polled, in milliseconds. */
const POLL_INTERVAL_MS = 5000

/** Continues uploads that no server is processing, now and every few seconds until the server closes. */
export function startBulkWork(
  { db, log, ending, pendingWork, tracing, uploadThread }: FastifyInstance,
  context: Pick<BulkContext, 'contract' | 'settings'>,
): void {
  const poll = () => {
    const done = workOnUploads({ db, log, ending, tracing, uploadThread, ...context }).catch(
      (error: { code?: string }) => log.warn({ code: error.code }, 'looking for uploads failed'),
    )
    pendingWork.add(done)
    done.finally(() => pendingWork.delete(done))
  }
  const timer = setInterval(poll, POLL_INTERVAL_MS)
  timer.unref()
  ending.addEventListener('abort', () => clearInterval(timer))
  poll()
}
