import { afterEach, expect, it } from 'vitest'
import { type Caller, signIn } from '../server/context.ts'
import { type ClusterContext, startCluster } from './context.ts'
import { until } from './postgres.ts'
import { contract, PASSWORD } from './servers.ts'
import { expectNothingLost, MAX_WAIT_MS, startReaders, startWriters } from './writers.ts'

const BROWSERS = 200
const LOCKED = 20_000
/** Seconds that it may take on the slowest machine. */
const PATIENCE = 100
const ROLES = ['advocate', 'manager', 'hub', 'volunteer', 'partner']

let context: ClusterContext | undefined
afterEach(async () => {
  await context?.end()
  context = undefined
})

/** Browsers with a session and an open event stream each, at the servers in turn. */
async function openBrowsers(): Promise<{ browsers: Caller[]; close(): void }> {
  const { products } = context!
  const browsers: Caller[] = []
  const closing = new AbortController()
  for (let i = 0; i < BROWSERS; i++) {
    const { address } = products[i % products.length]
    const browser = await signIn(contract, address, ROLES[i % ROLES.length], PASSWORD)
    browsers.push(browser)
    await fetch(`${address}/api/news/stream`, { headers: browser.headers, signal: closing.signal })
  }
  return { browsers, close: () => closing.abort() }
}

it(`${BROWSERS} browsers with open streams write and read at once, and nobody waits long`, async () => {
  context = await startCluster()
  const { memory, primary, products, query } = context
  const { browsers, close } = await openBrowsers()
  const before = memory()
  // All of them at every moment: people would pause in between.
  const writers = startWriters(browsers.slice(0, BROWSERS / 2), BROWSERS / 2)
  const readers = startReaders(browsers.slice(BROWSERS / 2), 'cases.list')
  await writers.write(2 * BROWSERS)
  await until(async () => readers.read.count > BROWSERS, PATIENCE)
  const [{ connections }] = await query(
    `select count(*)::int as connections from pg_stat_activity where datname = 'advocacy'`,
  )
  const [written, read] = await Promise.all([writers.stop(), readers.stop()])
  const after = memory()
  close()
  await expectNothingLost(primary.url('advocacy'), `${BROWSERS} browsers at once`, {
    written,
    read,
    figures: {
      reads: read.count,
      'connections to the database': connections,
      'memory before (MB)': before,
      'memory after (MB)': after,
    },
  })
  const refusals = [...Object.keys(written.refusals), ...Object.keys(read.refusals)]
  expect(refusals.filter((refusal) => refusal !== '503 busy')).toEqual([])
  for (const { address } of products) expect((await fetch(`${address}/readyz`)).status).toBe(200)
})

it(`a table that is locked for ${LOCKED / 1000} s refuses its own calls in time, and all others go on`, async () => {
  context = await startCluster({ env: { POOL_SIZE: '14' } })
  const { advocates, memory, primary, query } = context
  const before = memory()
  const writers = startWriters(advocates)
  // What the writers make is read with the names of clients, so the locked table is one that they do not need.
  const eight = Array.from({ length: 8 }, (_, i) => advocates[i % advocates.length])
  const readers = startReaders(eight, 'activities.mine')
  await writers.write(50)
  const { count: unlocked } = await readers.stop()
  const waiting = startReaders(eight, 'activities.mine')
  await query(
    `begin; lock table activities in access exclusive mode; select pg_sleep(${LOCKED / 1000}); commit`,
  )
  const refused = await waiting.stop()
  const written = await writers.stop()
  const { status } = await advocates[0]('activities.mine')
  await expectNothingLost(primary.url('advocacy'), `one table locked for ${LOCKED / 1000} s`, {
    written,
    figures: {
      'longest call on the table (ms)': refused.longest,
      'calls on the table refused': refused.refusals,
      'memory before (MB)': before,
      'memory after (MB)': memory(),
    },
  })
  expect([unlocked > 0, status]).toEqual([true, 200])
  expect(written.refusals).toEqual({})
  expect(Object.keys(refused.refusals)).toEqual(['503 dataLocked'])
  expect(refused.longest).toBeLessThan(MAX_WAIT_MS)
})
