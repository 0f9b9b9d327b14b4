import { chmodSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { loadContract } from '../../src/contract/load.ts'
import { type Caller, signIn } from '../server/context.ts'
import { type Product, startProduct } from '../server/product.ts'
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

const { contract } = loadContract(process.cwd())
const PASSWORD = 'advocacy-demo'
const WRITERS = 8
/** Milliseconds that a call may take in the middle of it all. */
const LONGEST = 10_000

let folder: string
let primary: PostgresServer
let standby: PostgresServer
let proxy: Awaited<ReturnType<typeof startProxy>>
let servers: Product[] = []

beforeEach(async () => {
  folder = temporaryFolder('failover-')
  chmodSync(folder, 0o755)
  primary = await startPrimary(join(folder, 'primary'))
  await query(primary.url('postgres'), 'create database advocacy')
  standby = await startStandby(primary, join(folder, 'standby'))
  proxy = await startProxy(folder, [primary.port, standby.port])
  for (let i = 0; i < 2; i++)
    servers.push(await startProduct({ DATABASE_URL: proxy.url('advocacy'), DEMO: '1', POOL_SIZE: '10' }))
})
afterEach(async () => {
  for (const server of servers) await server.end('SIGTERM')
  servers = []
  await proxy?.end('SIGTERM')
  for (const one of [primary, standby]) if (one) signalAll(one, 'SIGKILL')
  rmSync(folder, { recursive: true, force: true })
})

interface Written {
  acknowledged: string[]
  /** Milliseconds of the longest call, and statuses of those that were refused. */
  longest: number
  refusals: Set<number>
}

/** Writes drafts under titles of their own from several hands, over all servers in turn. */
function startWriters(callers: Caller[]): { stop(): Promise<Written> } {
  const written: Written = { acknowledged: [], longest: 0, refusals: new Set() }
  let going = true
  const write = async (hand: number) => {
    for (let i = 0; going; i++) {
      const title = `written by ${hand}, number ${i}`
      const since = Date.now()
      const { status } = await callers[hand % callers.length]('drafts.create', {
        body: { kind: 'case', title, payload: {} },
      })
      written.longest = Math.max(written.longest, Date.now() - since)
      if (status === 201) written.acknowledged.push(title)
      else {
        written.refusals.add(status)
        await sleep(50)
      }
    }
  }
  const hands = Array.from({ length: WRITERS }, (_, hand) => write(hand))
  return {
    stop: async () => {
      going = false
      await Promise.all(hands)
      return written
    },
  }
}

async function titles(): Promise<string[]> {
  const rows = await query(proxy.url('advocacy'), `select title from drafts where title like 'written by %'`)
  return rows.map(({ title }) => String(title))
}

const FAULTS = [
  ['is killed', 'SIGKILL'],
  ['hangs with open connections', 'SIGSTOP'],
] as const

it.each(FAULTS)(
  'no acknowledged write is lost when the primary %s and its standby takes over',
  async (_, signal) => {
    const callers = await Promise.all(
      servers.map(({ address }) => signIn(contract, address, 'advocate', PASSWORD)),
    )
    const writers = startWriters(callers)
    await sleep(2000)
    signalAll(primary, signal)
    const killed = Date.now()
    await sleep(500)
    await promote(standby)
    await until(
      async () =>
        (await callers[0]('drafts.create', { body: { kind: 'case', title: 'x', payload: {} } })).status ===
        201,
    )
    const away = Date.now() - killed
    await sleep(2000)
    const { acknowledged, longest, refusals } = await writers.stop()
    const there = await titles()
    console.log(`${acknowledged.length} writes acknowledged, ${away} ms away, the longest call ${longest} ms`)
    expect(acknowledged.length).toBeGreaterThan(200)
    expect(acknowledged.filter((title) => !there.includes(title))).toEqual([])
    expect(there).toHaveLength(new Set(there).size)
    expect([...refusals]).toEqual([503])
    expect(longest).toBeLessThan(LONGEST)
    for (const { address } of servers) expect((await fetch(`${address}/readyz`)).status).toBe(200)
  },
)
