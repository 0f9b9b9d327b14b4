import type { Call, Callback } from './call.ts'
import { withLaterSpan } from './withSpan.ts'

/**
 * Registers a callback that runs after the reply was sent, so that its duration and failure are not visible. It gets
 * the database, because the call's transaction has ended. If the call fails, the callback does not run: what it is
 * about was rolled back.
 */
export function afterReply({ callbacks }: Call, callback: Callback): void {
  callbacks.push(callback)
}

/** Runs the callbacks of a call that succeeded, once its reply was sent; the server waits for them before closing. */
export function runCallbacks({ name, request, reply, callbacks }: Call): void {
  const { pendingWork, db } = request.server
  const closed = new Promise<void>((resolve) => {
    if (reply.raw.closed) resolve()
    else reply.raw.once('close', resolve)
  })
  for (const callback of callbacks) {
    const done = closed
      .then(() => withLaterSpan(`${name} after the reply`, () => callback(db)))
      .catch((error: Error & { code?: string }) =>
        request.log.error({ id: request.id, code: error.code }, 'work after a reply failed'),
      )
    pendingWork.add(done)
    done.finally(() => pendingWork.delete(done))
  }
}
