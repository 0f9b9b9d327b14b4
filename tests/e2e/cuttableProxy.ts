import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

/** A TCP proxy that can cut connections in the middle of a request. */
export interface CuttableProxy {
  address: string
  /** From now on cuts every connection once the client has sent more than this many bytes; Infinity cuts none. */
  cutAfter(bytes: number): void
  end(): Promise<void>
}

/** Starts a proxy to the server at an address. */
export async function openCuttableProxy(to: string): Promise<CuttableProxy> {
  const { hostname, port } = new URL(to)
  const open = new Set<Socket>()
  let most = Number.POSITIVE_INFINITY
  const join = (one: Socket, other: Socket) => {
    open.add(one)
    one.on('error', () => other.destroy())
    one.on('close', () => {
      open.delete(one)
      other.destroy()
    })
    one.pipe(other)
  }
  const server = createServer((near) => {
    const far = connect(Number(port), hostname)
    join(near, far)
    join(far, near)
    near.on('data', () => {
      // The browser retries on a new connection, which is cut as well.
      if (near.bytesRead > most) near.destroy()
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    address: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    cutAfter: (bytes) => {
      most = bytes
    },
    end: async () => {
      for (const socket of open) socket.destroy()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
