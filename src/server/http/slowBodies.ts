import { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'

interface Pace {
  /** Minimum bytes that a body must send in each window. */
  least: number
  /** Length of the window in milliseconds. */
  window: number
}

/** Maximum milliseconds to receive a whole request: 10 MB within that time need a line of 0.3 Mbit/s. */
export const REQUEST_TIMEOUT = 300_000
/** Default pace; a line of 0.3 Mbit/s is 300 times as fast. */
const SLOWEST: Pace = { least: 1024, window: 10_000 }

/** Ends requests whose body stalls or is too slow, with the same 408 as after REQUEST_TIMEOUT. */
export function endSlowBodies(app: FastifyInstance, { least, window }: Pace = SLOWEST): void {
  app.addHook('onRequest', async ({ raw }) => {
    if (raw.complete || (!raw.headers['content-length'] && !raw.headers['transfer-encoding'])) return
    const { socket } = raw
    // A request that was not sent over a connection (`app.inject`) is not slow.
    if (!(socket instanceof Socket)) return
    let received = socket.bytesRead
    const timer = setInterval(() => {
      if (raw.complete || raw.destroyed) return clearInterval(timer)
      if (socket.bytesRead - received >= least) {
        received = socket.bytesRead
        return
      }
      clearInterval(timer)
      const error = Object.assign(new Error('The body came too slowly'), { code: 'ERR_HTTP_REQUEST_TIMEOUT' })
      app.server.emit('clientError', error, socket)
    }, window)
    timer.unref()
    raw.once('close', () => clearInterval(timer))
  })
}
