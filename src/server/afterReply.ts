import type { Call } from './call.ts'
import type { Db } from './db.ts'
import { withLaterSpan } from './tracing/withSpan.ts'

/**
 * Runs a callback after the reply was sent, so that its duration and failure are not visible; the server waits for
 * it before closing. It gets the database, because the call's transaction has ended.
 */
export function afterReply({ name, request, reply }: Call, callback: (db: Db) => Promise<void>): void {
  const { working, db } = request.server
  const closed = new Promise<void>((resolve) => {
    if (reply.raw.closed) resolve()
    else reply.raw.once('close', resolve)
  })
  const done = closed
    .then(() => withLaterSpan(`${name} after the reply`, () => callback(db)))
    .catch((error: Error & { code?: string }) =>
      request.log.error({ id: request.id, code: error.code }, 'work after a reply failed'),
    )
  working.add(done)
  done.finally(() => working.delete(done))
}
