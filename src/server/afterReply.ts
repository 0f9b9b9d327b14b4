import type { Call } from './call.ts'
import type { Db } from './db.ts'

/**
 * Does a work once the reply has left, so that neither its length nor its failure shows; the server waits for it before it
 * closes. It is given the database, for the transaction of its call is over by then.
 */
export function afterReply({ request, reply }: Call, callback: (db: Db) => Promise<void>): void {
  const { working, db } = request.server
  const closed = new Promise<void>((resolve) => {
    if (reply.raw.closed) resolve()
    else reply.raw.once('close', resolve)
  })
  const done = closed
    .then(() => callback(db))
    .catch((error: Error & { code?: string }) =>
      request.log.error({ id: request.id, code: error.code }, 'work after a reply failed'),
    )
  working.add(done)
  done.finally(() => working.delete(done))
}
