import { chmodSync, rmSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { temporaryFolder } from '../temporaryFolder.ts'
import { isWhole, type Node, type Patroni, startPatroni } from './patroni.ts'
import { query, until } from './postgres.ts'
import { isBeside } from './programs.ts'
import { startProxy } from './proxy.ts'
import { type Servers, startServers } from './servers.ts'
import { expectNothingLost, startWriters } from './writers.ts'

/** Seconds that Patroni may take to replace a primary, its lease among them, or to make a node a standby again. */
const PATIENCE = 60

let folder: string
let cluster: Patroni
let proxy: Awaited<ReturnType<typeof startProxy>>
let servers: Servers

const FAULTS: [string, (primary: Node) => unknown, ((node: Node) => void)?][] = [
  ['hands over in a switchover', (primary) => cluster.switchOver(primary)],
  ['is killed with its machine', (primary) => primary.signal('SIGKILL'), (node) => node.restart()],
  [
    'hangs with its machine, and comes back as if it still were the primary',
    (primary) => primary.signal('SIGSTOP'),
    (node) => node.signal('SIGCONT'),
  ],
]

// The programs of the npm package bring neither: no node can be made of another by them.
const canFollow = isBeside('postgres', 'pg_basebackup') && isBeside('postgres', 'pg_rewind')

describe.runIf(canFollow)('three nodes (need pg_basebackup and pg_rewind beside postgres)', () => {
  beforeAll(async () => {
    folder = temporaryFolder('patroni-')
    chmodSync(folder, 0o755)
    cluster = await startPatroni(folder, ['north', 'east', 'west'])
    await until(() => isWhole(cluster), PATIENCE)
    proxy = await startProxy(folder, cluster.nodes)
    await query(proxy.url('postgres'), 'create database advocacy')
    servers = await startServers(proxy.url('advocacy'))
  })
  afterAll(async () => {
    await servers?.end()
    await proxy?.end('SIGTERM')
    await cluster?.end()
    rmSync(folder, { recursive: true, force: true })
  })

  it.each(FAULTS)('lose no acknowledged write when the primary %s', async (words, fail, repair) => {
    const old = await cluster.primary()
    const before = servers.memory()
    const writers = startWriters(servers.advocates)
    await writers.write(100)
    await fail(old)
    await until(async () => (await cluster.primary()).name !== old.name, PATIENCE)
    await writers.write(50)
    repair?.(old)
    await until(() => isWhole(cluster), PATIENCE)
    const written = await writers.stop()
    await expectNothingLost(proxy.url('advocacy'), `Patroni, primary ${words}`, {
      written,
      figures: {
        'away (ms)': written.away,
        'memory before (MB)': before,
        'memory after (MB)': servers.memory(),
      },
    })
    expect(written.acknowledged.length).toBeGreaterThan(100)
    for (const { address } of servers.products) expect((await fetch(`${address}/readyz`)).status).toBe(200)
  })
})
