import { chmodSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { copyRepository, type RepositoryCopy } from '../e2e/repositoryCopy.ts'
import { type Caller, signIn } from '../server/context.ts'
import { type Product, startProduct } from '../server/product.ts'
import { temporaryFolder } from '../temporaryFolder.ts'
import { type PostgresServer, query, signalAll, startPrimary, until } from './postgres.ts'
import { freePort } from './programs.ts'
import { contract, PASSWORD, untilAnswers } from './servers.ts'
import { startHaproxy, type WebProxy } from './webProxy.ts'
import { expectNothingLost, startReaders, startWriters } from './writers.ts'

const folder = temporaryFolder('rolling-')
let primary: PostgresServer
let proxy: WebProxy
let next: RepositoryCopy
const ports: { PORT: string; METRICS_PORT: string }[] = []
const servers: Product[] = []

/** Starts a server of a release at one of the two addresses behind the proxy. */
const startAt = (at: number, server?: string) =>
  startProduct({ DATABASE_URL: primary.url('advocacy'), DEMO: '1', ...ports[at] }, server)

beforeAll(async () => {
  chmodSync(folder, 0o755)
  primary = await startPrimary(join(folder, 'primary'))
  await query(primary.url('postgres'), 'create database advocacy')
  for (const at of [0, 1]) {
    ports.push({ PORT: String(await freePort()), METRICS_PORT: String(await freePort()) })
    servers.push(await startAt(at))
  }
  proxy = await startHaproxy(
    folder,
    ports.map(({ PORT }) => Number(PORT)),
  )
  next = copyRepository()
  writeFileSync(
    join(next.folder, 'src/server/migrations/900_shoe_size.sql'),
    '-- kind: expand\nalter table clients add shoe_size integer;\n',
  )
})
afterAll(async () => {
  for (const server of servers) await server.end('SIGTERM')
  await proxy?.end('SIGTERM')
  if (primary) signalAll(primary, 'SIGKILL')
  next?.remove()
  rmSync(folder, { recursive: true, force: true })
})

it('eight people go on writing and reading while two servers take up the next release, one after the other', async () => {
  const callers: Caller[] = []
  for (let i = 0; i < 8; i++) callers.push(await signIn(contract, proxy.address, 'advocate', PASSWORD))
  const writers = startWriters(callers)
  const readers = startReaders(callers.slice(0, 2), 'cases.list')
  const { acknowledged } = writers.written
  for (const at of [0, 1]) {
    const count = acknowledged.length
    await until(async () => acknowledged.length > count + 50, 100)
    await servers[at].end('SIGTERM')
    servers[at] = await startAt(at, join(next.folder, 'dist/server.js'))
    await untilAnswers(ports[at].METRICS_PORT, 'drafts.create')
  }
  const [written, read] = await Promise.all([writers.stop(), readers.stop()])
  await expectNothingLost(primary.url('advocacy'), 'rolling upgrade', {
    written,
    read,
    figures: {
      reads: read.count,
      'away (ms)': written.away,
    },
  })
  expect(written.acknowledged.length).toBeGreaterThan(100)
  expect([written.refusals, read.refusals]).toEqual([{}, {}])
  const columns = await query(
    primary.url('advocacy'),
    `select table_name from information_schema.columns where column_name = 'shoe_size' order by 1`,
  )
  expect(columns.map(({ table_name: name }) => name)).toEqual(['client_record', 'clients'])
})
