import { sql } from 'kysely'
import { beforeAll, describe, expect, it } from 'vitest'
import { openDatabase } from '../../src/server/core/db.ts'
import { goodRows } from './bulkFiles.ts'
import { bulkUploads, type GoodRows, PATIENCE } from './bulkUploads.ts'
import { type Caller, describeServer } from './context.ts'

const context = describeServer()
let hub: Caller
let good: GoodRows
beforeAll(async () => {
  hub = await context.as('hub')
  good = await goodRows(hub, context.address)
})

const { read, settled, check, apply, countOf, work } = bulkUploads(() => ({ context, hub, good }))

/** Rows of a batch. */
const BATCH = 50

describe('the job', () => {
  const startApplying = (id: number) =>
    sql`update bulk_uploads set state = 'applying', job_total = 1, job_started_at = now() where id = ${id}`.execute(
      context.db,
    )
  /** Lets every insert of a client with this last name fail by statements of PL/pgSQL. */
  const refuseClients = (lastName: string, statements: string) =>
    sql`create function ${sql.ref(`refuse_${lastName}`)}() returns trigger language plpgsql as
        ${sql.lit(`begin ${statements}; end`)};
      create trigger ${sql.ref(`refuse_${lastName}`)} before insert on clients for each row
        when (new.last_name = ${sql.lit(lastName)}) execute function ${sql.ref(`refuse_${lastName}`)}()`.execute(
      context.db,
    )
  const many = (last: string, n: number) =>
    Array.from({ length: n }, (_, i) => good.row(`Person${String.fromCharCode(97 + (i % 26))}${i}`, last))

  it('goes on where a server died in the middle of adding, and adds nothing twice', async () => {
    const rows = BATCH + 1
    const upload = await check(many('Died', rows))
    const before = await countOf('cases')
    // After the first batch, whichever server works on it, the lease is one that nobody gives back.
    await sql`create function lose_lease() returns trigger language plpgsql as $$
      begin new.worker := gen_random_uuid(); new.leased_until := now() + interval '1 hour'; return new; end $$;
      create trigger lose_lease before update on bulk_uploads for each row
        when (old.job_done = 0 and new.job_done > 0 and new.state = 'applying') execute function lose_lease()`.execute(
      context.db,
    )
    await sql`update bulk_uploads set state = 'applying', job_done = 0, job_total = ${rows}, job_started_at = now()
      where id = ${upload.id}`.execute(context.db)
    const added = () => read(upload.id).then((now) => now.added)
    await work()
    await expect.poll(added, { timeout: PATIENCE }).toBe(BATCH)
    await sql`drop function lose_lease cascade`.execute(context.db)
    await work()
    expect(await added()).toBe(BATCH)
    await sql`update bulk_uploads set leased_until = now() - interval '1 second' where id = ${upload.id}`.execute(
      context.db,
    )
    await work()
    expect(await settled(upload.id)).toMatchObject({ state: 'done', added: rows })
    expect(await countOf('cases')).toBe(before + rows)
  })

  it('is done once by two servers', async () => {
    const rows = 2 * BATCH + 1
    const upload = await check(many('Two', rows))
    const before = await countOf('cases')
    const other = openDatabase(context.databaseUrl)
    await sql`update bulk_uploads set state = 'applying', job_total = ${rows}, job_started_at = now() where id = ${upload.id}`.execute(
      context.db,
    )
    await Promise.all([work(), work(other.slow), work(other.db)])
    await other.close()
    expect(await settled(upload.id)).toMatchObject({ state: 'done', added: rows, wrong: 0 })
    expect(await countOf('cases')).toBe(before + rows)
  })

  it('gives up after three batches in a row that took too long', async () => {
    const upload = await check([good.row('Zoe', 'Slow')])
    await sql`create sequence attempts`.execute(context.db)
    await refuseClients('Slow', "perform nextval('attempts'); raise query_canceled")
    await startApplying(upload.id)
    await work()
    expect(await settled(upload.id)).toMatchObject({
      state: 'failed',
      problem: expect.stringMatching(/^The database took too long/),
    })
    const { rows } = await sql`select last_value as n from attempts`.execute(context.db)
    expect(rows).toEqual([{ n: 3 }])
  })

  it('leaves the state to the server that has its lease', async () => {
    const upload = await check([good.row('Yan', 'Leased')])
    await refuseClients('Leased', "perform pg_sleep(0.5); raise 'broken'")
    await startApplying(upload.id)
    const working = work()
    const isLocked = async () =>
      (await sql`select from bulk_uploads where id = ${upload.id} for update skip locked`.execute(context.db))
        .rows.length === 0
    await expect.poll(isLocked, { interval: 10 }).toBe(true)
    // Waits for the batch to fail.
    await sql`update bulk_uploads set worker = gen_random_uuid(), leased_until = now() + interval '1 hour'
      where id = ${upload.id}`.execute(context.db)
    await working
    expect((await read(upload.id)).state).toBe('applying')
  })

  it('says how far it is', async () => {
    const upload = await check(many('Far', 3))
    const { body } = await hub('bulk.progress', { params: { id: upload.id } })
    expect(body).toMatchObject({ id: upload.id, state: 'ready', total: 3, done: 3, seconds_left: 0 })
    expect(body.rate).toBeGreaterThan(0)
  })

  it('refuses what does not fit its state', async () => {
    const upload = await check([good.row('Bob', 'State')])
    const params = { id: upload.id }
    const codes = async (...calls: string[]) =>
      Promise.all(calls.map(async (call) => (await hub(call, { params })).body.code))
    expect(await codes('bulk.undo')).toEqual(['uploadState'])
    await sql`update bulk_uploads set state = 'checking', leased_until = now() + interval '1 hour' where id = ${upload.id}`.execute(
      context.db,
    )
    expect(await codes('bulk.apply', 'bulk.undo')).toEqual(['uploadBusy', 'uploadBusy'])
    const body = { columns: { c0: 'leave_out' } }
    expect((await hub('bulk.change', { params, body })).body.code).toBe('uploadBusy')
    await sql`update bulk_uploads set state = 'ready', leased_until = null where id = ${upload.id}`.execute(
      context.db,
    )
    await apply(upload.id)
    expect(await codes('bulk.apply')).toEqual(['uploadState'])
  })
})
