import { chmodSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { temporaryFolder } from '../temporaryFolder.ts'
import {
  type PostgresServer,
  promote,
  query,
  signalAll,
  startPrimary,
  startStandby,
  until,
} from './postgres.ts'
import { startProxy } from './proxy.ts'
import { type Servers, startServers } from './servers.ts'
import { expectNothingLost, startWriters, writeTask } from './writers.ts'

let folder: string
let primary: PostgresServer
let standby: PostgresServer
let proxy: Awaited<ReturnType<typeof startProxy>>
let servers: Servers | undefined

beforeEach(async () => {
  folder = temporaryFolder('failover-')
  chmodSync(folder, 0o755)
  primary = await startPrimary(join(folder, 'primary'))
  await query(primary.url('postgres'), 'create database advocacy')
  standby = await startStandby(primary, join(folder, 'standby'))
  proxy = await startProxy(folder, [primary, standby])
  servers = await startServers(proxy.url('advocacy'))
})
afterEach(async () => {
  await servers?.end()
  servers = undefined
  await proxy?.end('SIGTERM')
  for (const one of [primary, standby]) if (one) signalAll(one, 'SIGKILL')
  rmSync(folder, { recursive: true, force: true })
})

const FAULTS: [string, () => unknown][] = [
  ['is killed', () => signalAll(primary, 'SIGKILL')],
  ['hangs with open connections', () => signalAll(primary, 'SIGSTOP')],
  // PostgreSQL ends connections at once at this signal, and sends the standby all that it has acknowledged.
  ['is shut down in a switchover', () => primary.running.end('SIGINT')],
]

it.each(FAULTS)(
  'no acknowledged write is lost when the primary %s and its standby takes over',
  async (words, fail) => {
    const { advocates, products, memory } = servers!
    const before = memory()
    const writers = startWriters(advocates)
    await writers.write(100)
    const failed = Date.now()
    await fail()
    await sleep(500)
    await promote(standby)
    await until(async () => (await writeTask(advocates[0], 'x')).status === 201)
    const away = Date.now() - failed
    await writers.write(50)
    const written = await writers.stop()
    await expectNothingLost(proxy.url('advocacy'), `primary ${words}`, {
      written,
      figures: {
        'away (ms)': away,
        'memory before (MB)': before,
        'memory after (MB)': memory(),
      },
    })
    for (const { address } of products) expect((await fetch(`${address}/readyz`)).status).toBe(200)
  },
)
