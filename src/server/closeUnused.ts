import type { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'

/** Closes with the server the connections on which nothing was asked yet: browsers open some ahead, and close() waits for them. */
export function closeUnused(app: FastifyInstance): void {
  const unused = new Set<Socket>()
  let closing = false
  app.server.on('connection', (socket: Socket) => {
    if (closing) return socket.destroy()
    unused.add(socket)
    socket.once('close', () => unused.delete(socket))
  })
  app.server.on('request', ({ socket }) => unused.delete(socket))
  app.addHook('preClose', async () => {
    closing = true
    for (const socket of unused) socket.destroy()
  })
}
