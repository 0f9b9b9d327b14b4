import { chmodSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { signIn } from '../server/context.ts'
import { type Product, startProduct } from '../server/product.ts'
import { temporaryFolder } from '../temporaryFolder.ts'
import { type PostgresServer, query, signalAll, startPrimary, until } from './postgres.ts'
import { freePort, type Running, startProgram } from './programs.ts'
import { contract, PASSWORD, printFigures } from './servers.ts'
import { LONGEST, lostOf, startReaders, startWriters } from './writers.ts'

let folder: string
let primary: PostgresServer
let ports: number[]
let proxy: Running & { address: string }
let servers: Product[] = []

const start = (port: number) =>
  startProduct({ DATABASE_URL: primary.url('advocacy'), DEMO: '1', POOL_SIZE: '10', PORT: String(port) })

beforeEach(async () => {
  folder = temporaryFolder('restart-')
  chmodSync(folder, 0o755)
  primary = await startPrimary(join(folder, 'primary'))
  await query(primary.url('postgres'), 'create database advocacy')
  ports = [await freePort(), await freePort()]
  servers = []
  for (const port of ports) servers.push(await start(port))
  proxy = await startBalancer()
})
afterEach(async () => {
  for (const server of servers) await server.end('SIGTERM')
  await proxy?.end('SIGTERM')
  signalAll(primary, 'SIGKILL')
  rmSync(folder, { recursive: true, force: true })
})

/** HAProxy before the servers; what one of them does not take, or closes without an answer as it ends, it gives to the other. */
async function startBalancer(): Promise<Running & { address: string }> {
  const port = await freePort()
  const file = join(folder, 'balancer.cfg')
  const lines = ports.map((one) => `  server at${one} 127.0.0.1:${one} check inter 500ms`)
  writeFileSync(
    file,
    `defaults
  mode http
  timeout connect 1s
  timeout client 1h
  timeout server 1h
  timeout check 2s
  retries 3
  option redispatch 1
  retry-on conn-failure empty-response
  option http-server-close
listen servers
  bind 127.0.0.1:${port}
  balance roundrobin
  option httpchk GET /readyz
${lines.join('\n')}
`,
  )
  const running = startProgram('haproxy', '-db', '-f', file)
  const address = `http://127.0.0.1:${port}`
  await until(async () => (await fetch(`${address}/readyz`)).status === 200)
  return { ...running, address }
}

it('nobody is refused while one server after the other is replaced', async () => {
  const people = []
  for (let i = 0; i < 4; i++) people.push(await signIn(contract, proxy.address, 'advocate', PASSWORD))
  const writers = startWriters(people, people.length)
  const readers = startReaders(people, 'cases.list')
  const away: number[] = []
  for (const [i, port] of ports.entries()) {
    await sleep(2000)
    const since = Date.now()
    expect(await servers[i].end('SIGTERM')).toBe(0)
    servers[i] = await start(port)
    away.push(Date.now() - since)
  }
  await sleep(2000)
  const [written, read] = await Promise.all([writers.stop(), readers.stop()])
  const { lost, twice } = await lostOf(primary.url('advocacy'), written)
  printFigures('servers replaced one after the other', {
    acknowledged: written.acknowledged.length,
    lost: lost.length,
    reads: read.count,
    'longest call (ms)': Math.max(written.longest, read.longest),
    refusals: { ...written.refusals, ...read.refusals },
    'each away (ms)': away,
  })
  expect([lost, twice, written.refusals, read.refusals]).toEqual([[], 0, {}, {}])
  expect(written.acknowledged.length).toBeGreaterThan(50)
  expect(Math.max(written.longest, read.longest)).toBeLessThan(LONGEST)
})
