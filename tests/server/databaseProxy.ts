import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

export interface DatabaseProxy {
  /** Address of the database through the proxy. */
  url: string
  /** From now on the connections that are there stay open and carry nothing; new ones work. */
  silence(): void
  /** How often something was sent after an answer, on all connections. */
  roundTrips(): number
  close(): void
}

/** A TCP proxy before a database: it loses connections the way a firewall or a failed host does, and counts round trips. */
export async function startProxy(databaseUrl: string): Promise<DatabaseProxy> {
  const sockets = new Set<Socket>()
  const silent = new Set<Socket>()
  let roundTrips = 0
  const server = createServer((near) => {
    const far = connectTo(databaseUrl)
    let isAnswered = true
    near.on('data', () => {
      if (isAnswered) roundTrips++
      isAnswered = false
    })
    far.on('data', () => {
      isAnswered = true
    })
    for (const [from, to] of [
      [near, far],
      [far, near],
    ]) {
      sockets.add(from)
      from.on('data', (data) => silent.has(from) || to.write(data))
      from.on('close', () => sockets.delete(from) && silent.has(from) === false && to.destroy())
      from.on('error', () => undefined)
    }
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const url = new URL(databaseUrl)
  url.hostname = '127.0.0.1'
  url.port = String((server.address() as AddressInfo).port)
  url.searchParams.delete('host')
  return {
    url: url.href,
    silence: () => {
      for (const socket of sockets) silent.add(socket)
    },
    roundTrips: () => roundTrips,
    close: () => {
      server.close()
      for (const socket of sockets) socket.destroy()
    },
  }
}

function connectTo(databaseUrl: string): Socket {
  const { hostname, port, searchParams } = new URL(databaseUrl)
  const folder = searchParams.get('host')
  return folder ? connect(`${folder}/.s.PGSQL.${port}`) : connect(Number(port || 5432), hostname)
}
