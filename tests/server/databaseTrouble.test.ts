import { sql } from 'kysely'
import { Client } from 'pg'
import { afterEach, expect, it } from 'vitest'
import { asProblem } from '../../src/server/core/problems.ts'
import { readSettings } from '../../src/server/core/settings.ts'
import { type Caller, PASSWORD, startTestServer, type TestContext } from './context.ts'
import { type DatabaseProxy, startProxy } from './databaseProxy.ts'
import { createCase } from './newCase.ts'

let context: TestContext
const ends: (() => unknown)[] = []
afterEach(async () => {
  await context?.end()
  for (const end of ends.splice(0)) await end()
})

const statuses = async (replies: Promise<{ status: number; body: { code?: string } }>[]) =>
  (await Promise.all(replies)).map(({ status, body }) => (status === 200 ? 200 : `${status} ${body.code}`))

it('connections that fell silent fail one call with a 503 and are not used again', async () => {
  let proxy: DatabaseProxy | undefined
  context = await startTestServer({}, async (url) => {
    proxy = await startProxy(url)
    ends.push(proxy.close)
    return proxy.url
  })
  const admin = await context.as('admin')
  const volley = () => statuses(Array.from({ length: 12 }, () => admin('clients.list')))
  expect(new Set(await volley())).toEqual(new Set([200]))
  let isSilent = () => {}
  const silence = new Promise<void>((resolve) => {
    isSilent = resolve
  })
  // What a transaction fails with is the rollback, which finds its connection closed.
  const transaction = context.db.transaction().execute(async (tx) => {
    proxy!.silence()
    isSilent()
    await sql`select 1`.execute(tx)
  })
  const refused = expect(transaction).rejects.toSatisfy((error) => asProblem(error).body.code === 'noAnswer')
  // A call made before the silence would be answered.
  await silence
  expect(await statuses([admin('clients.list')])).toEqual(['503 noAnswer'])
  await refused
  expect(new Set(await volley())).toEqual(new Set([200]))
})

/** Holds a lock on the table of clients until the caller releases it. */
async function lockClients(mode: string): Promise<() => Promise<void>> {
  const client = new Client({ connectionString: context.databaseUrl })
  await client.connect()
  await client.query(`begin; lock table clients in ${mode} mode`)
  return async () => {
    await client.query('commit')
    await client.end()
  }
}

/** Calls that wait for the lock, and more of them than there are connections. */
async function waiting(call: () => ReturnType<Caller>, atOnce: number) {
  const calls = Array.from({ length: 40 }, call)
  const client = new Client({ connectionString: context.databaseUrl })
  await client.connect()
  const locked = async () =>
    (
      await client.query(
        `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
      )
    ).rowCount
  await expect.poll(locked, { interval: 20 }).toBe(atOnce)
  await client.end()
  return calls
}

it('a table that is locked for everybody stops neither sign-in nor health checks', async () => {
  context = await startTestServer()
  const admin = await context.as('admin')
  const anyone = await context.as()
  const unlock = await lockClients('access exclusive')
  const calls = await waiting(() => admin('clients.list'), 10)
  const others = [
    anyone('auth.login', { body: { username: 'hub', password: PASSWORD } }),
    anyone.raw('/readyz'),
    admin('auth.me'),
  ]
  expect(await statuses(others)).toEqual([200, 200, 200])
  await unlock()
  const codes = new Set(await statuses(calls))
  for (const code of codes) expect([200, '503 dataLocked', '503 busy']).toContain(code)
  expect(await statuses([admin('clients.list')])).toEqual([200])
})

it('a table that is locked for writers leaves connections to those who read it', async () => {
  context = await startTestServer()
  const admin = await context.as('admin')
  const { client } = await createCase(admin)
  const change = () => admin('clients.update', { params: { id: client }, body: { first_name: 'Ada' } })
  const unlock = await lockClients('share')
  const calls = await waiting(change, 8)
  const reads = [admin('clients.list'), admin('clients.read', { params: { id: client } })]
  expect(await statuses(reads)).toEqual([200, 200])
  await unlock()
  const codes = new Set(await statuses(calls))
  for (const code of codes) expect([200, '503 dataLocked', '503 busy']).toContain(code)
  expect(await statuses([change()])).toEqual([200])
})

it('a pool without room for those that are kept is refused in a sentence', () => {
  expect(() => readSettings({ POOL_SIZE: '6' })).toThrow('POOL_SIZE must be a whole number of 7 or more.')
})

it('a failover is answered by 503 and logged by its code; reads go on while the database can only be read', async () => {
  let proxy: DatabaseProxy | undefined
  context = await startTestServer({}, async (url) => {
    proxy = await startProxy(url)
    ends.push(proxy.close)
    return proxy.url
  })
  const { app, address } = context
  const logged: Record<string, unknown>[] = []
  for (const level of ['warn', 'error'] as const)
    app.log[level] = ((line: Record<string, unknown>) => logged.push(line)) as typeof app.log.warn
  const admin = await context.as('admin')
  const ready = async () => {
    const reply = await fetch(`${address}/readyz`)
    const { ready: isReady, code } = (await reply.json()) as { ready: boolean; code?: string }
    return [reply.status, isReady, code]
  }
  const { client } = await createCase(admin)
  const edit = () => admin('clients.update', { params: { id: client }, body: { first_name: 'Ada' } })
  expect(await ready()).toEqual([200, true, undefined])

  const beside = new Client({ connectionString: context.databaseUrl })
  await beside.connect()
  const name = new URL(context.databaseUrl).pathname.slice(1)
  const terminate = () =>
    beside.query(
      'select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()',
    )
  await beside.query(`update session set seen_at = now() - interval '1 minute'`)
  await beside.query(`alter database ${name} set default_transaction_read_only = on`)
  await terminate()
  await expect.poll(ready).toEqual([503, false, 'readOnly'])
  // The session was last seen a minute ago: that it cannot be noted stops nobody.
  expect(await statuses([admin('auth.me'), admin('clients.list'), edit()])).toEqual([
    200,
    200,
    '503 readOnly',
  ])
  expect(logged).toContainEqual(expect.objectContaining({ problem: 'readOnly', code: '25006' }))
  expect((await fetch(`${address}/healthz`)).status).toBe(200)

  await beside.query(`alter database ${name} reset default_transaction_read_only`)
  await terminate()
  await beside.end()
  await expect.poll(ready).toEqual([200, true, undefined])
  expect(await statuses([edit()])).toEqual([200])

  proxy!.close()
  const page = await fetch(`${address}/manual`, { headers: { accept: 'text/html' } })
  expect([page.status, page.headers.get('content-type')]).toEqual([503, 'text/html; charset=utf-8'])
  const html = await page.text()
  expect(html).toContain('The database cannot be reached. Try again in a moment.')
  expect(html).toContain(`<code>${page.headers.get('x-request-id')}</code>`)
  expect(html).not.toContain('<!--')
  expect(await ready()).toEqual([503, false, 'unavailable'])
  expect(await statuses([admin('clients.list')])).toEqual(['503 unavailable'])
})

it.each(['57P01', '25006', '25P03', '08006', 'ECONNRESET', '40P01', '40001'])(
  'an error %s, which passes, is a 503',
  (code) => {
    expect(asProblem(Object.assign(new Error('gone'), { code })).statusCode).toBe(503)
  },
)
