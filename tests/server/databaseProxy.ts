import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

export interface DatabaseProxy {
  /** Address of the database through the proxy. */
  url: string
  /** Existing connections stay open but transfer nothing from now on; new ones work. */
  silence(): void
  /** Existing connections transfer nothing from now on, nor do new ones until `restore`. */
  drop(): void
  restore(): void
  /** Delays all data by these milliseconds from now on, in each direction. */
  slowDown(milliseconds: number): void
  /** Number of round trips on all connections: data that was sent after an answer. */
  roundTrips(): number
  close(): void
}

/**
 * A TCP proxy for a database that counts round trips, and can delay data or drop connections as a firewall or failed
 * host does.
 */
export async function startProxy(databaseUrl: string): Promise<DatabaseProxy> {
  const sockets = new Set<Socket>()
  const silent = new Set<Socket>()
  let dropsNew = false
  let delay = 0
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
      if (dropsNew) silent.add(from)
      const pass = (data: Buffer) => silent.has(from) || to.destroyed || to.write(data)
      // Timers of the same duration fire in order.
      from.on('data', (data: Buffer) => (delay === 0 ? pass(data) : setTimeout(pass, delay, data)))
      from.on('close', () => sockets.delete(from) && silent.has(from) === false && to.destroy())
      from.on('error', () => undefined)
    }
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const silence = () => {
    for (const socket of sockets) silent.add(socket)
  }
  const url = new URL(databaseUrl)
  url.hostname = '127.0.0.1'
  url.port = String((server.address() as AddressInfo).port)
  url.searchParams.delete('host')
  return {
    url: url.href,
    silence,
    drop: () => {
      dropsNew = true
      silence()
    },
    restore: () => {
      dropsNew = false
    },
    slowDown: (milliseconds) => {
      delay = milliseconds
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
