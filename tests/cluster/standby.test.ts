import { chmodSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import xlsx from 'xlsx'
import { loadContract } from '../../src/check/load.ts'
import { type Caller, signIn } from '../server/context.ts'
import { createCase } from '../server/newCase.ts'
import { type Product, startProduct } from '../server/product.ts'
import { temporaryFolder } from '../temporaryFolder.ts'
import { type PostgresServer, query, signalAll, startPrimary, startStandby, until } from './postgres.ts'

const { contract } = loadContract(process.cwd())
const folder = temporaryFolder('standby-')
let primary: PostgresServer
let standby: PostgresServer
let server: Product
let manager: Caller
let advocate: Caller

beforeAll(async () => {
  chmodSync(folder, 0o755)
  primary = await startPrimary(join(folder, 'primary'))
  await query(primary.url('postgres'), 'create database advocacy')
  standby = await startStandby(primary, join(folder, 'standby'))
  server = await startProduct({
    DATABASE_URL: primary.url('advocacy'),
    DATABASE_READ_URL: standby.url('advocacy'),
    DEMO: '1',
  })
  manager = await signIn(contract, server.address, 'manager', 'advocacy-demo')
  advocate = await signIn(contract, server.address, 'advocate', 'advocacy-demo')
})
afterAll(async () => {
  await server?.end('SIGTERM')
  for (const one of [primary, standby]) if (one) signalAll(one, 'SIGKILL')
  rmSync(folder, { recursive: true, force: true })
})

const byService = { by: 'service', start: '2025-01-01', end: '2027-12-31' }
/** How many issues a report counts, how many rows are behind it, and as of when both say they are. */
async function issues(): Promise<{ counted: number; rows: number; asAt: string[] }> {
  const report = await manager('reports.issues', { query: byService })
  const rows = await manager('reports.issueRows', { query: { start: byService.start, end: byService.end } })
  return {
    counted: report.body.totals.issues,
    rows: rows.body.pagination.count,
    asAt: [report.body.as_at, rows.body.as_at],
  }
}

async function exportSubject(): Promise<string> {
  const query = new URLSearchParams({ ...byService, format: 'xlsx' })
  const reply = await fetch(`${server.address}/api/reports/issues?${query}`, {
    headers: { ...manager.headers, accept: '*/*' },
  })
  return xlsx.read(Buffer.from(await reply.arrayBuffer())).Props!.Subject!
}

it('a report, the rows behind it and its file are of one moment, and say of which', async () => {
  await query(standby.url('postgres'), 'select pg_wal_replay_pause()')
  const before = await issues()
  const paused = Date.now()
  await createCase(advocate)
  const stale = await issues()
  expect(stale.counted).toBe(before.counted)
  expect(stale.rows).toBe(stale.counted)
  for (const moment of stale.asAt) expect(Date.parse(moment)).toBeLessThanOrEqual(paused)
  expect(await exportSubject()).toMatch(/; As at \d+ \w+ \d{4}, \d\d:\d\d$/)

  await query(standby.url('postgres'), 'select pg_wal_replay_resume()')
  await until(async () => (await issues()).counted === before.counted + 1)
  const fresh = await issues()
  expect(fresh.rows).toBe(fresh.counted)
  for (const moment of fresh.asAt) expect(Date.parse(moment)).toBeGreaterThan(paused)
})

it('every list can be exported from a standby, and the audit of it is written to the primary', async () => {
  const exported = Object.entries(contract.endpoints).filter(([, { query: groups }]) =>
    groups?.includes('exported'),
  )
  expect(exported.length).toBeGreaterThan(20)
  const callers = await Promise.all(
    ['admin', 'hubmanager', 'advocate'].map((name) =>
      signIn(contract, server.address, name, 'advocacy-demo'),
    ),
  )
  const refused: Record<string, unknown> = {}
  for (const [name] of exported) {
    await query(primary.url('advocacy'), 'delete from call_count')
    const exports = [manager, ...callers].map((caller) =>
      caller(name, { params: { id: 1 }, query: { format: 'xlsx' } }),
    )
    const statuses = (await Promise.all(exports)).map(({ status }) => status)
    if (!statuses.some((status) => status === 200 || status === 404)) refused[name] = statuses
    if (statuses.some((status) => status >= 500)) refused[name] = statuses
  }
  expect(refused).toEqual({})
  const [{ written }] = await query(
    primary.url('advocacy'),
    `select count(*)::int as written from audit where action = 'export'`,
  )
  expect(written).toBeGreaterThan(10)
})

it('reports are read from the primary while the standby does not answer', async () => {
  signalAll(standby, 'SIGSTOP')
  const since = Date.now()
  const hanging = await manager('reports.issueRows')
  expect([hanging.status, hanging.body.as_at]).toEqual([200, undefined])
  expect(Date.now() - since).toBeLessThan(10_000)
  signalAll(standby, 'SIGKILL')
  const gone = await manager('reports.issueRows')
  expect([gone.status, gone.body.as_at]).toEqual([200, undefined])
})
