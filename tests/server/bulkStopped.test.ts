import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect } from 'vitest'
import { itInFull } from '../full.ts'
import { goodRows, send, workbook } from './bulkFiles.ts'
import { type Caller, signIn, startTestServer, type TestContext } from './context.ts'
import { type Product, startProduct } from './product.ts'

const ROWS = 400
/** Only what hangs ends by it: batches rest for as long as they took, so a loaded machine takes minutes. */
const PATIENCE = 240_000
let context: TestContext
let product: Product
let hub: Caller

/** Starts another server on the database, and signs the hub adviser in there. */
async function start(): Promise<void> {
  product = await startProduct({ DATABASE_URL: context.databaseUrl })
  hub = await signIn(context.contract, product.address, 'hub')
}

beforeAll(async () => {
  context = await startTestServer()
  await start()
})
afterAll(async () => {
  await product?.end('SIGTERM')
  await context?.end()
})

const one = async <T>(query: ReturnType<typeof sql<T>>): Promise<T> =>
  (await query.execute(context.db)).rows[0]
const records = () =>
  one(sql<{
    cases: number
    clients: number
    issues: number
  }>`select (select count(*)::int from cases) as cases,
    (select count(*)::int from clients) as clients, (select count(*)::int from issues) as issues`)
const uploadOf = (id: number) =>
  one(
    sql<{
      state: string
      leased_until: Date | null
    }>`select state, leased_until from bulk_uploads where id = ${id}`,
  )
const rowsIn = async (id: number, state: string) =>
  (
    await one(
      sql<{ n: number }>`select count(*)::int as n from bulk_rows where upload = ${id} and state = ${state}`,
    )
  ).n
const becomes = (id: number, state: string) =>
  expect.poll(async () => (await uploadOf(id)).state, { timeout: PATIENCE }).toBe(state)

/** Kills the server while some rows are in a state and not all, and starts another one, for which the lease is over. */
async function killMidway(id: number, state: string): Promise<void> {
  await expect.poll(() => rowsIn(id, state), { timeout: PATIENCE, interval: 5 }).toBeGreaterThan(0)
  expect(await product.end('SIGKILL')).toBeNull()
  const done = await rowsIn(id, state)
  expect(done).toBeLessThan(ROWS)
  await start()
  // Nobody waits for the lease of 45 seconds here.
  await sql`update bulk_uploads set leased_until = now() where id = ${id}`.execute(context.db)
}

/** Uploads good rows of people with this last name; answers its id once it is checked. */
async function checked(lastName: string): Promise<number> {
  const good = await goodRows(hub, product.address)
  const rows = Array.from({ length: ROWS }, (_, i) => good.row(`Person${i}`, lastName))
  const reply = await send(hub, workbook([good.headings, ...rows]), { case_type: '1', check: 'true' })
  const { id } = reply.body.data[0]
  await becomes(id, 'ready')
  return id
}

describe('an upload whose server stops', () => {
  itInFull('is given back after the batch that was begun, and added once by the next server', async () => {
    const before = await records()
    const id = await checked('Stopped')
    expect((await hub('bulk.apply', { params: { id } })).status).toBe(200)
    await expect.poll(() => rowsIn(id, 'added'), { timeout: PATIENCE, interval: 5 }).toBeGreaterThan(0)
    // It would end with 1 where it had to be ended.
    expect(await product.end('SIGTERM')).toBe(0)
    expect(await rowsIn(id, 'added')).toBeLessThan(ROWS)
    expect(await uploadOf(id)).toEqual({ state: 'applying', leased_until: null })

    await start()
    await becomes(id, 'done')
    expect((await records()).cases).toBe(before.cases + ROWS)
  })
})

describe('an upload whose server is killed', () => {
  itInFull(
    'is added once and taken back whole by the servers that follow',
    { timeout: 8 * PATIENCE },
    async () => {
      const before = await records()
      const id = await checked('Killed')

      expect((await hub('bulk.apply', { params: { id } })).status).toBe(200)
      await killMidway(id, 'added')
      await becomes(id, 'done')
      expect(await rowsIn(id, 'added')).toBe(ROWS)
      expect(await records()).toEqual({
        cases: before.cases + ROWS,
        clients: before.clients + ROWS,
        issues: before.issues + ROWS,
      })
      const distinct = sql<{
        n: number
      }>`select count(distinct "case")::int as n from bulk_rows where upload = ${id}`
      expect((await one(distinct)).n).toBe(ROWS)

      expect((await hub('bulk.undo', { params: { id } })).status).toBe(200)
      await killMidway(id, 'undone')
      await becomes(id, 'undone')
      expect(await rowsIn(id, 'undone')).toBe(ROWS)
      expect(await records()).toEqual(before)
    },
  )
})
