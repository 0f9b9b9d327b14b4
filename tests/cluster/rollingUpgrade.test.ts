import { chmodSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { copyRepository, type RepositoryCopy } from '../e2e/repositoryCopy.ts'
import { type Caller, signIn } from '../server/context.ts'
import { type Product, startProduct } from '../server/product.ts'
import { temporaryFolder } from '../temporaryFolder.ts'
import { type PostgresServer, query, signalAll, startPrimary } from './postgres.ts'
import { freePort, type Running } from './programs.ts'
import { startWebProxy } from './proxy.ts'
import { contract, PASSWORD } from './servers.ts'
import { expectNothingLost, startReaders, startWriters } from './writers.ts'

const folder = temporaryFolder('rolling-')
let primary: PostgresServer
let proxy: Running & { address: string }
let next: RepositoryCopy
let ports: number[]
const servers: Product[] = []

/** Starts a server of a release at one of the two addresses behind the proxy. */
const startAt = (at: number, server?: string) =>
  startProduct({ DATABASE_URL: primary.url('advocacy'), DEMO: '1', PORT: String(ports[at]) }, server)

beforeAll(async () => {
  chmodSync(folder, 0o755)
  primary = await startPrimary(join(folder, 'primary'))
  await query(primary.url('postgres'), 'create database advocacy')
  ports = [await freePort(), await freePort()]
  for (const at of [0, 1]) servers.push(await startAt(at))
  proxy = await startWebProxy(folder, ports)
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
  await sleep(2000)
  for (const at of [0, 1]) {
    await servers[at].end('SIGTERM')
    servers[at] = await startAt(at, join(next.folder, 'dist/server.js'))
    await sleep(3000)
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
