import { chmodSync, mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import { type Caller, signIn } from '../server/context.ts'
import { type Product, startProduct } from '../server/product.ts'
import { temporaryFolder } from '../temporaryFolder.ts'
import { type PostgresServer, query, signalAll, startPrimary } from './postgres.ts'
import { freePort } from './programs.ts'
import { contract, PASSWORD, untilAnswers } from './servers.ts'
import { startHaproxy, startNginx, type WebProxy } from './webProxy.ts'
import { expectNothingLost, startReaders, startWriters } from './writers.ts'

const folder = temporaryFolder('web-proxies-')
let primary: PostgresServer
let proxy: WebProxy | undefined
const ports: { PORT: string; METRICS_PORT: string }[] = []
const servers: Product[] = []

const startAt = (at: number) =>
  startProduct({ DATABASE_URL: primary.url('advocacy'), DEMO: '1', TRUST_PROXY: '1', ...ports[at] })

beforeAll(async () => {
  chmodSync(folder, 0o755)
  primary = await startPrimary(join(folder, 'primary'))
  await query(primary.url('postgres'), 'create database advocacy')
  for (const at of [0, 1]) {
    ports.push({ PORT: String(await freePort()), METRICS_PORT: String(await freePort()) })
    servers.push(await startAt(at))
  }
})
afterEach(async () => {
  await proxy?.end('SIGTERM')
  proxy = undefined
})
afterAll(async () => {
  for (const server of servers) await server.end('SIGTERM')
  if (primary) signalAll(primary, 'SIGKILL')
  rmSync(folder, { recursive: true, force: true })
})

/** Restarts one server after the other under writers and readers; returns what was refused. */
async function restartEach(name: string, start: typeof startHaproxy) {
  const files = join(folder, name)
  mkdirSync(files)
  proxy = await start(
    files,
    ports.map(({ PORT }) => Number(PORT)),
  )
  const callers: Caller[] = []
  for (let i = 0; i < 8; i++) callers.push(await signIn(contract, proxy.address, 'advocate', PASSWORD))
  const writers = startWriters(callers)
  const readers = startReaders(callers.slice(0, 2), 'cases.list')
  for (const at of [0, 1]) {
    await writers.write(50)
    await servers[at].end('SIGTERM')
    servers[at] = await startAt(at)
    await untilAnswers(ports[at].METRICS_PORT, 'tasks.create')
  }
  const [written, read] = await Promise.all([writers.stop(), readers.stop()])
  return { written, read, figures: { reads: read.count, 'away (ms)': written.away } }
}

it('HAProxy refuses no call while one server after the other is restarted', async () => {
  const result = await restartEach('haproxy', startHaproxy)
  await expectNothingLost(primary.url('advocacy'), 'restarts behind HAProxy', result)
  expect([result.written.refusals, result.read.refusals]).toEqual([{}, {}])
})

it('nginx refuses no read while one server after the other is restarted, and loses no write', async () => {
  const { written, ...result } = await restartEach('nginx', startNginx)
  // A write that was already sent to a server that stops is not sent to the other one: its refusal is nginx's own.
  const { '502 undefined': unsure, ...refusals } = written.refusals
  await expectNothingLost(primary.url('advocacy'), 'restarts behind nginx', {
    ...result,
    written: { ...written, refusals },
    figures: { ...result.figures, 'writes without an answer': unsure ?? 0 },
  })
  expect([refusals, result.read.refusals]).toEqual([{}, {}])
})
