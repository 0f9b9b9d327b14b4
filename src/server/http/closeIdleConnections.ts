import type { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'

/** Closes unused connections on shutdown: browsers open some in advance, and close() would wait for them. */
export function closeIdleConnections(app: FastifyInstance): void {
  const idle = new Set<Socket>()
  let closing = false
  app.server.on('connection', (socket: Socket) => {
    if (closing) return socket.destroy()
    idle.add(socket)
    socket.once('close', () => idle.delete(socket))
  })
  app.server.on('request', ({ socket }) => idle.delete(socket))
  app.addHook('preClose', async () => {
    closing = true
    for (const socket of idle) socket.destroy()
  })
}
