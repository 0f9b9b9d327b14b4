import { chmodSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { Client } from 'pg'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { loadContract } from '../../src/check/load.ts'
import { today } from '../../src/server/core/today.ts'
import { CHANNEL } from '../../src/server/core/versionEvents.ts'
import { type Caller, type CallOptions, type Reply, signIn } from '../server/context.ts'
import { createCase, newCase } from '../server/newCase.ts'
import { failToStart, type Product, startProduct } from '../server/product.ts'
import { temporaryFolder } from '../temporaryFolder.ts'
import { CONNECT_QUERY, keepsPreparedStatements, startPooler } from './pooler.ts'
import { type PostgresServer, query, startPrimary, until } from './postgres.ts'

const { contract } = loadContract(process.cwd())
const PASSWORD = 'advocacy-demo'
/** Seconds that an event may take on the slowest machine. */
const PATIENCE = 60
/** Of two zones whose days differ whatever the time. */
const ZONES = ['Pacific/Kiritimati', 'Pacific/Pago_Pago']

const folder = temporaryFolder('pooler-')
let primary: PostgresServer
let pooler: Awaited<ReturnType<typeof startPooler>>
let servers: Product[] = []

const settings = (url: string) => ({
  DATABASE_URL: url,
  DATABASE_DIRECT_URL: primary.url('advocacy'),
  ...(!keepsPreparedStatements() && { PREPARED_STATEMENTS: '0' }),
})

beforeAll(async () => {
  chmodSync(folder, 0o755)
  primary = await startPrimary(join(folder, 'primary'))
  await query(primary.url('postgres'), 'create database advocacy')
  pooler = await startPooler(folder, primary.port)
  for (const TIME_ZONE of ZONES)
    servers.push(await startProduct({ ...settings(pooler.url), DEMO: '1', TIME_ZONE }))
})
afterAll(async () => {
  for (const server of servers) await server.end('SIGTERM')
  servers = []
  await pooler?.end('SIGINT')
  await primary?.running.end('SIGINT')
  rmSync(folder, { recursive: true, force: true })
})

/** Makes a call until the server is not too busy for it. */
async function answered(caller: Caller, name: string, options: CallOptions): Promise<Reply> {
  let reply = await caller(name, options)
  const isAnswered = async () => {
    if (reply.status === 503) reply = await caller(name, options)
    return reply.status !== 503
  }
  await until(isAnswered, PATIENCE)
  return reply
}

it('two servers share five connections, and each keeps its own day', async () => {
  const advocates = await Promise.all(
    servers.map(({ address }) => signIn(contract, address, 'advocate', PASSWORD)),
  )
  const body = await newCase(advocates[0])
  const { start_date: _, ...issue } = body.issue as Record<string, unknown>
  const made = await Promise.all(
    Array.from({ length: 60 }, async (_, i) => {
      const created = await answered(advocates[i % 2], 'cases.create', { body: { ...body, issue } })
      const read = await answered(advocates[(i + 1) % 2], 'issues.read', {
        params: { id: created.body.issue },
      })
      return [created.status, read.body.start_date]
    }),
  )
  expect(made).toEqual(made.map((_, i) => [201, today(ZONES[i % 2])]))
  const [{ connections }] = await query(
    primary.url('postgres'),
    `select count(*)::int as connections from pg_stat_activity
      where datname = 'advocacy' and application_name not in ('version events', '')`,
  )
  expect(connections).toBeLessThanOrEqual(5)
})

it('a publication by one server is notified to the other, past the pooler, and reaches its open pages', async () => {
  const admin = await signIn(contract, servers[0].address, 'admin', PASSWORD)
  const { headers } = await signIn(contract, servers[1].address, 'advocate', PASSWORD)
  const stop = new AbortController()
  const stream = await fetch(`${servers[1].address}/api/news/stream`, { headers, signal: stop.signal })
  let text = ''
  const reading = (async () => {
    const words = new TextDecoder()
    for await (const piece of stream.body as unknown as AsyncIterable<Uint8Array>) text += words.decode(piece)
  })().catch(() => undefined)
  // A server that could only poll would have no such connection, and its publication no notification.
  const direct = new Client({ connectionString: primary.url('advocacy') })
  let isNotified = false
  direct.on('notification', () => {
    isNotified = true
  })
  await direct.connect()
  await direct.query(`listen ${CHANNEL}`)
  await until(async () => {
    const { rows } = await direct.query(
      `select query from pg_stat_activity where application_name = 'version events' and state = 'idle'`,
    )
    return rows.some((row) => row.query === `listen ${CHANNEL}`)
  }, PATIENCE)
  await until(async () => text.includes('caseType'), PATIENCE)
  const { body } = await admin('caseTypes.read', { params: { id: 1 } })
  const { status } = await admin('caseTypes.update', {
    params: { id: 1 },
    body: { version: body.version, label: `${body.label}!` },
  })
  expect(status).toBe(200)
  await until(async () => isNotified, PATIENCE)
  const event = `{"entity":"caseType","id":1,"version":${body.version + 1}}`
  await until(async () => text.includes(event), PATIENCE)
  stop.abort()
  await Promise.all([reading, direct.end()])
})

it('reports, exports and searches go through the pooler', async () => {
  const manager = await signIn(contract, servers[0].address, 'manager', PASSWORD)
  await createCase(await signIn(contract, servers[0].address, 'advocate', PASSWORD))
  const names = Object.keys(contract.endpoints).filter((name) =>
    /^(reports|search|staff|cases)\.[a-z]*(list|issues|work|quick|export)/i.test(name),
  )
  expect(names.length).toBeGreaterThan(4)
  const replies = await Promise.all(
    names.map(async (name) => [
      name,
      (await manager(name, { query: { term: 'Ann', start: '2026-01-01', end: '2026-12-31' } })).status,
    ]),
  )
  expect(replies.filter(([, status]) => Number(status) >= 500)).toEqual([])
})

it('a server refuses a pooler that lets statements wait for ever, and says what it lacks', async () => {
  const limitless = await startPooler(folder, primary.port, 'select 1')
  const { code, words } = await failToStart(settings(limitless.url))
  await limitless.end('SIGINT')
  const [problem, remedy] = words.split(' Give its database this connect_query: ')
  expect([code, problem]).toEqual([1, 'The pooler of DATABASE_URL lets statements wait for ever.'])
  expect(CONNECT_QUERY.startsWith(`${remedy};`)).toBe(true)
})
