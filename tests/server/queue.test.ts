import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { type Database, openDatabase } from '../../src/server/core/db.ts'
import { leaseNext, postpone, releaseLease, renewLease } from '../../src/server/core/queue.ts'
import { emptyDatabase } from './database.ts'

const QUEUE = { table: 'outbox', leaseSeconds: 30 }
const MAILS = 20

let database: Awaited<ReturnType<typeof emptyDatabase>>
let servers: Database[]
beforeAll(async () => {
  database = await emptyDatabase()
  servers = [openDatabase(database.url), openDatabase(database.url)]
  await sql`create table outbox (id integer generated always as identity primary key, sent_by uuid,
    run_at timestamptz not null default now(), worker uuid, leased_until timestamptz, attempts integer not null default 0,
    last_error text)`.execute(servers[0].db)
})
afterAll(async () => {
  for (const { close } of servers ?? []) await close()
  await database?.drop()
})
beforeEach(() => sql`truncate outbox restart identity`.execute(servers[0].db))

const add = (count = 1) =>
  sql`insert into outbox (run_at) select now() from generate_series(1, ${count})`.execute(servers[0].db)
const lease = (server = 0, worker = randomUUID()) =>
  leaseNext<{ id: number; worker: string }>(servers[server].db, QUEUE, worker, {
    where: sql`sent_by is null`,
    returning: sql`id, worker`,
  })
const rows = async () => (await sql`select * from outbox order by id`.execute(servers[0].db)).rows
const expire = () => sql`update outbox set leased_until = now() - interval '1 second'`.execute(servers[0].db)

it('gives each row to one of several servers, without one waiting for the other', async () => {
  await add(MAILS)
  const send = async (server: number) => {
    const worker = randomUUID()
    const ids: number[] = []
    for (;;) {
      const leased = await lease(server, worker)
      if (!leased) return ids
      await releaseLease(servers[server].db, QUEUE, leased, { set: sql`sent_by = ${worker}` })
      ids.push(leased.id)
    }
  }
  const sent = await Promise.all([send(0), send(1), send(0), send(1)])
  expect(sent.flat().sort((a, b) => a - b)).toEqual(Array.from({ length: MAILS }, (_, i) => i + 1))
})

it('passes over a row that is locked', async () => {
  await add(2)
  await servers[0].db.transaction().execute(async (tx) => {
    await sql`select from outbox where id = 1 for update`.execute(tx)
    expect((await lease(1))?.id).toBe(2)
  })
})

it('gives the row of a killed server to another one once the lease is over, and not before', async () => {
  await add()
  const dead = (await lease(0))!
  expect(await lease(1)).toBeUndefined()
  await expire()
  const next = (await lease(1))!
  expect(next.id).toBe(dead.id)
  // The first server was only slow: it can do nothing with the row any more.
  expect(await renewLease(servers[0].db, QUEUE, dead)).toBeUndefined()
  await postpone(servers[0].db, QUEUE, dead, { code: 'late' })
  expect(await releaseLease(servers[0].db, QUEUE, dead)).toBeUndefined()
  expect(await rows()).toMatchObject([{ worker: next.worker, attempts: 0, last_error: null }])
})

it('keeps a row whose lease is renewed', async () => {
  await add()
  const leased = (await lease())!
  await expire()
  expect(await renewLease(servers[0].db, QUEUE, leased)).toEqual({ id: leased.id })
  expect(await lease(1)).toBeUndefined()
  expect(await renewLease(servers[0].db, QUEUE, leased, { where: sql`sent_by is not null` })).toBeUndefined()
})

it('gives a row that failed again only after its backoff, and forgets the failure after a success', async () => {
  await add()
  await postpone(servers[0].db, QUEUE, (await lease())!, { code: 'ECONNREFUSED' })
  expect(await lease(1)).toBeUndefined()
  expect(await rows()).toMatchObject([{ worker: null, attempts: 1, last_error: 'ECONNREFUSED' }])
  await sql`update outbox set run_at = now()`.execute(servers[0].db)
  await releaseLease(servers[1].db, QUEUE, (await lease(1))!)
  expect(await rows()).toMatchObject([{ worker: null, leased_until: null, attempts: 0, last_error: null }])
})
