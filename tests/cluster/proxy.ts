import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { query, until } from './postgres.ts'
import { freePort, type Running, startProgram } from './programs.ts'

const CAN_WRITE = 'select not pg_is_in_recovery() as "canWrite"'

/** A database server behind the proxy. */
interface Server {
  port: number
  /** Port of its Patroni; without one the test asks the database itself whether it can write. */
  rest?: number
}

/** HAProxy at one address before several database servers; it leads to the one that can write. */
export async function startProxy(
  folder: string,
  servers: Server[],
): Promise<Running & { url(database: string): string }> {
  const port = await freePort()
  const file = join(folder, 'haproxy.cfg')
  const answers: { close(): void }[] = []
  const lines: string[] = []
  for (const { port: at, rest } of servers) {
    const answer = rest ? { rest, close: () => undefined } : await answerForDatabase(at)
    answers.push(answer)
    lines.push(
      `server at${at} 127.0.0.1:${at} check port ${answer.rest} inter 500ms fall 2 rise 1 on-marked-down shutdown-sessions`,
    )
  }
  writeFileSync(
    file,
    `defaults
  mode tcp
  timeout connect 1s
  timeout check 2s
  timeout client 1h
  timeout server 1h
listen database
  bind 127.0.0.1:${port}
  option httpchk GET /primary
  ${lines.join('\n  ')}
`,
  )
  const running = startProgram('haproxy', '-db', '-f', file)
  const url = (database: string) => `postgres://postgres@127.0.0.1:${port}/${database}`
  // HAProxy takes every server for good until its first checks, and leads to them in turn.
  await until(async () => {
    for (let i = 0; i < 2 * servers.length; i++) {
      const [{ canWrite }] = await query(url('postgres'), CAN_WRITE)
      if (!canWrite) return false
    }
    return true
  })
  const end = async (signal: NodeJS.Signals) => {
    await running.end(signal)
    for (const { close } of answers) close()
  }
  return { ...running, url, end }
}

/** Answers 200 at a port while a database can write, as Patroni does. */
async function answerForDatabase(port: number): Promise<{ rest: number; close(): void }> {
  const server = createServer(async (_, reply) => {
    const rows = await query(`postgres://postgres@127.0.0.1:${port}/postgres`, CAN_WRITE).catch(() => [])
    reply.writeHead(rows[0]?.canWrite ? 200 : 503).end()
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const close = () => {
    server.close()
    server.closeAllConnections()
  }
  return { rest: (server.address() as AddressInfo).port, close }
}
