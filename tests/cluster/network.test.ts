import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, expect, it } from 'vitest'
import { seeded } from '../../src/server/ops/demo/random.ts'
import { type Made, startDay } from '../dayOfCalls.ts'
import { signIn } from '../server/context.ts'
import { type ClusterContext, startCluster } from './context.ts'
import { until } from './postgres.ts'
import { contract, PASSWORD, printFigures } from './servers.ts'
import { expectNothingLost, MAX_WAIT_MS, startWriters, writeTask } from './writers.ts'

const DELAY = 400
/** Milliseconds for which packets are dropped: longer than any call waits. */
const DROPPED = 15_000
const ROLES = ['advocate', 'manager', 'hub', 'admin']

let context: ClusterContext | undefined
afterEach(async () => {
  await context?.end()
  context = undefined
})

it(`a day's calls are all answered where the database is ${DELAY} ms away, each way`, async () => {
  context = await startCluster()
  const { products, proxies, memory, query } = context
  const before = memory()
  const days = await Promise.all(
    ROLES.map(async (role, i) => {
      const caller = await signIn(contract, products[i % products.length].address, role, PASSWORD)
      return startDay(contract, caller, `a day of ${role}`, seeded(i))
    }),
  )
  for (const proxy of proxies) proxy.slowDown(DELAY)
  const made: Made[] = []
  let going = true
  // Each of them makes the next call once the one before is answered: many times as many as on a day of theirs.
  const working = days.map(async (day) => {
    while (going) made.push(await day.next())
  })
  await until(async () => made.length > 100, 200)
  going = false
  await Promise.all(working)
  for (const proxy of proxies) proxy.slowDown(0)
  const lost = (await Promise.all(days.map((day) => day.lost(query)))).flat()
  const refused = made.filter(({ status }) => status !== 200 && status !== 201)
  const slowest = made.reduce((one, other) => (other.ms > one.ms ? other : one))
  printFigures(`${DELAY} ms each way`, {
    calls: made.length,
    'writes acknowledged': days.reduce((sum, day) => sum + day.acknowledged(), 0),
    lost: lost.length,
    'longest call (ms)': `${Math.round(slowest.ms)} (${slowest.name})`,
    'median (ms)': Math.round(made.map(({ ms }) => ms).sort((a, b) => a - b)[Math.floor(made.length / 2)]),
    refused: refused.map(({ name, status }) => `${name} ${status}`),
    'memory before (MB)': before,
    'memory after (MB)': memory(),
  })
  expect([refused, lost]).toEqual([[], []])
  expect(slowest.ms).toBeLessThan(MAX_WAIT_MS)
}, 240_000)

const SILENCES = [
  ['the connections that are there fall silent', 'silence', 0],
  [`packets are dropped for ${DROPPED / 1000} s`, 'drop', DROPPED],
] as const

it.each(SILENCES)('writes go on after %s', async (words, fail, milliseconds) => {
  context = await startCluster()
  const { advocates, products, proxies, memory, primary } = context
  const before = memory()
  const writers = startWriters(advocates)
  await writers.write(50)
  for (const proxy of proxies) proxy[fail]()
  await sleep(milliseconds)
  for (const proxy of proxies) proxy.restore()
  const restored = Date.now()
  for (const advocate of advocates) await until(async () => (await writeTask(advocate, 'x')).status === 201)
  const recovered = Date.now() - restored
  await writers.write(50)
  const written = await writers.stop()
  await expectNothingLost(primary.url('advocacy'), words, {
    written,
    figures: {
      'writable again after (ms)': recovered,
      'memory before (MB)': before,
      'memory after (MB)': memory(),
    },
  })
  expect(recovered).toBeLessThan(MAX_WAIT_MS)
  for (const { address } of products) expect((await fetch(`${address}/readyz`)).status).toBe(200)
})
