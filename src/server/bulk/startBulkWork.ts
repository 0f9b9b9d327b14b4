import type { FastifyInstance } from 'fastify'
import type { BulkContext } from './jobCall.ts'
import { workOnUploads } from './workOnUploads.ts'

/** Milliseconds between looks for uploads that another server left behind. */
const LOOK = 5000

/** Goes on with uploads that no server works on, at once and every few seconds until the server closes. */
export function startBulkWork(
  { db, log, ending, working, tracing, uploadThread }: FastifyInstance,
  context: Pick<BulkContext, 'contract' | 'settings'>,
): void {
  const look = () => {
    const done = workOnUploads({ db, log, ending, tracing, uploadThread, ...context }).catch(
      (error: { code?: string }) => log.warn({ code: error.code }, 'looking for uploads failed'),
    )
    working.add(done)
    done.finally(() => working.delete(done))
  }
  const timer = setInterval(look, LOOK)
  timer.unref()
  ending.addEventListener('abort', () => clearInterval(timer))
  look()
}
