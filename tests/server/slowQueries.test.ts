import { sql } from 'kysely'
import { beforeAll, beforeEach, expect, it } from 'vitest'
import { readSettings } from '../../src/server/core/settings.ts'
import { type JobContext, runJobs } from '../../src/server/ops/jobs/runJobs.ts'
import { describeServer } from './context.ts'
import { createCase } from './newCase.ts'

const context = describeServer({ SLOW_QUERY_MS: '100' })
let logged: Record<string, unknown>[] = []
beforeAll(async () => {
  context.app.log.warn = ((line: Record<string, unknown>) => logged.push(line)) as typeof context.app.log.warn
})
beforeEach(() => {
  logged = []
})

/** Holds a lock on the table of clients for so many ms, while a call is made. */
async function whileLocked(ms: number, call: () => Promise<unknown>): Promise<void> {
  let calling: Promise<unknown> | undefined
  await context.db.transaction().execute(async (tx) => {
    await sql`lock table clients in access exclusive mode`.execute(tx)
    calling = call()
    await sql`select pg_sleep(${ms / 1000}::float)`.execute(tx)
  })
  await calling
}

it('a slow query is logged with its call and request, and without what it searched for', async () => {
  const admin = await context.as('admin')
  // On a busy machine a query of the sign-in may be slow too.
  logged = []
  await whileLocked(1000, () => admin('clients.list', { query: { term: 'Featherstone' } }))
  for (const line of logged) {
    expect(line).toEqual({
      call: 'clients.list',
      id: expect.stringMatching(/^[\w-]{18}$/),
      ms: expect.any(Number),
      sql: expect.stringMatching(/^.{1,400}$/),
    })
    expect(line.ms).toBeGreaterThanOrEqual(100)
    expect(JSON.stringify(line)).not.toMatch(/Featherstone/i)
  }
  expect(logged).toContainEqual(
    expect.objectContaining({ call: 'clients.list', sql: expect.stringContaining('client') }),
  )
})

it('a slow query inside a transaction is logged with its call', async () => {
  const admin = await context.as('admin')
  const { client } = await createCase(admin)
  logged = []
  const change = { params: { id: client }, body: { last_name: 'Featherstone' } }
  await whileLocked(1000, () => admin('clients.update', change))
  expect(logged.map(({ call }) => call)).toContain('clients.update')
  expect(JSON.stringify(logged)).not.toContain('Featherstone')
})

it('slow queries of a job are one line with the slowest of them', async () => {
  const { contract, db, app } = context
  const settings = readSettings({ SLOW_QUERY_MS: '40' })
  const jobs: JobContext = { contract, db, settings, log: app.log, ending: new AbortController().signal }
  const job = async () => {
    for (const seconds of [0.05, 0.3, 0.05]) await sql`select pg_sleep(${seconds})`.execute(db)
  }
  await runJobs(jobs, { sleep: job })
  const lines = logged.filter((line) => line.job === 'sleep')
  expect(lines).toEqual([
    {
      job: 'sleep',
      slow_queries: expect.any(Number),
      total_ms: expect.any(Number),
      ms: expect.any(Number),
      sql: 'select pg_sleep($1)',
    },
  ])
  expect(lines[0].slow_queries).toBeGreaterThanOrEqual(3)
  expect(lines[0].ms).toBeGreaterThanOrEqual(300)
  expect(lines[0].total_ms).toBeGreaterThanOrEqual(400)
})
