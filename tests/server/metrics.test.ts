import { rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { readSettings } from '../../src/server/core/settings.ts'
import { JOBS } from '../../src/server/ops/jobs/jobs.ts'
import type { JobContext } from '../../src/server/ops/jobs/runJobs.ts'
import { temporaryFolder } from '../temporaryFolder.ts'
import { startTestServer, type TestContext } from './context.ts'
import { createCase } from './newCase.ts'

const TOKEN = 'a token of some length'
const port = await freePort()

let context: TestContext
let folder: string
beforeAll(async () => {
  folder = temporaryFolder('advocacy-metrics-')
  const file = join(folder, 'token')
  writeFileSync(file, `${TOKEN}\n`)
  context = await startTestServer({ METRICS_TOKEN_FILE: file })
})
afterAll(async () => {
  await context?.end()
  rmSync(folder, { recursive: true, force: true })
})

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  const { port: free } = server.address() as { port: number }
  await new Promise((resolve) => server.close(resolve))
  return free
}

const gaugesOf = (text: string) =>
  Object.fromEntries(
    [...text.matchAll(/^casework_backup_(\S+) (\S+)$/gm)].map(([, name, value]) => [
      name,
      Number(value.replace('Inf', 'Infinity')),
    ]),
  )

const scrape = (authorization = `Bearer ${TOKEN}`, address = context.address) =>
  fetch(`${address}/metrics`, { headers: { authorization } })

it('the token of a file opens /metrics, and nothing else does', async () => {
  expect((await scrape()).status).toBe(200)
  for (const wrong of ['', `Bearer ${TOKEN}x`, 'Bearer ', TOKEN])
    expect((await scrape(wrong)).status).toBe(401)
})

it('the series of backups never vanish: not without a backup, nor after months, nor while the database hangs', async () => {
  const scraped = async () => gaugesOf(await (await scrape()).text())
  expect(await scraped()).toEqual({
    age_seconds: Number.POSITIVE_INFINITY,
    last_success_timestamp_seconds: 0,
    last_verified_timestamp_seconds: 0,
  })
  await sql`insert into job_runs (name, started_at, ended_at, ok) values
    ('backup', to_timestamp(1600000000), to_timestamp(1600000090), true),
    ('verify backup', to_timestamp(1600000100), to_timestamp(1600000200), true)`.execute(context.db)
  await JOBS['forget job runs']({ db: context.db } as JobContext)
  const { age_seconds, ...times } = await scraped()
  expect(age_seconds).toBeGreaterThan(Date.now() / 1000 - 1600000000 - 60)
  expect(times.last_success_timestamp_seconds).toBeCloseTo(1600000000, 0)
  expect(times.last_verified_timestamp_seconds).toBeCloseTo(1600000200, 0)
  await sql`alter table job_runs rename to job_runs_away`.execute(context.db)
  try {
    const later = await scraped()
    expect(later.age_seconds).toBeGreaterThanOrEqual(age_seconds)
    expect(later.last_success_timestamp_seconds).toBeCloseTo(1600000000, 0)
  } finally {
    await sql`alter table job_runs_away rename to job_runs`.execute(context.db)
  }
  await sql`delete from job_runs where started_at < now() - interval '30 days'`.execute(context.db)
})

it('calls, connections, jobs, streams and the event loop are counted, and no record or person named', async () => {
  const hub = await context.as('hub')
  const { client } = await createCase(hub)
  await hub('clients.read', { params: { id: client } })
  await hub('clients.read', { params: { id: 999_999 } })
  await hub.raw('/api/nowhere/4711')
  await sql`insert into job_runs (name, started_at, ended_at, ok, error_code) values
    ('backup', to_timestamp(1700000000), to_timestamp(1700000090), true, null),
    ('send digests', now() - interval '2 hours', now() - interval '2 hours', false, '57P01'),
    ('send digests', now(), null, null, null)`.execute(context.db)
  const stream = new AbortController()
  await fetch(`${context.address}/api/news/stream`, { headers: hub.headers, signal: stream.signal })
  await expect.poll(async () => (await scrape()).text()).toContain('casework_version_event_streams 1')
  const text = await (await scrape()).text()
  stream.abort()
  for (const line of [
    'casework_call_seconds_count{call="clients.read",status="200"} 1',
    'casework_call_seconds_count{call="clients.read",status="404"} 1',
    'casework_call_seconds_count{call="cases.create",status="201"} 1',
    'casework_call_seconds_count{call="none",status="404"} 1',
    'casework_pool_connections{pool="reserved",state="waiting"} 0',
    'casework_job_last_start_timestamp_seconds{job="backup"} 1700000000',
    'casework_job_last_run_seconds{job="backup"} 90',
    'casework_job_failed_runs{job="send digests"} 1',
  ])
    expect(text).toContain(`${line}\n`)
  expect(text).not.toContain('casework_job_last_run_seconds{job="send digests"}')
  expect(text).toMatch(/casework_pool_connections\{pool="ordinary",state="total"\} [1-9]/)
  expect(text).toMatch(/nodejs_eventloop_lag_p99_seconds [\d.]+/)
  expect(text).not.toMatch(/\{[^}]*(4711|999999|Example)/)
})

it('the days until the audit needs a partition are always there, also while the database does not answer', async () => {
  const daysLeft = async () =>
    Number((await (await scrape()).text()).match(/^casework_audit_partition_days_left (\S+)$/m)?.[1])
  const next = Date.UTC(new Date().getUTCFullYear() + 2, 0)
  const expected = () => (next - Date.now()) / 86_400_000
  expect(await daysLeft()).toBeCloseTo(expected(), 1)
  await sql`alter function audit_partitioned_until() rename to hidden`.execute(context.db)
  expect(await daysLeft()).toBeCloseTo(expected(), 1)
  await sql`alter function hidden() rename to audit_partitioned_until`.execute(context.db)
  await sql`drop table ${sql.table(`audit_${new Date().getUTCFullYear()}`)}`.execute(context.db)
  expect(await daysLeft()).toBeLessThan(0)
})

it('a separate port serves nothing else, and without a setting there are no metrics', async () => {
  const other = await startTestServer({ METRICS_PORT: String(port) })
  try {
    const own = `http://127.0.0.1:${port}`
    expect((await scrape('', own)).status).toBe(200)
    expect((await fetch(`${own}/healthz`)).status).toBe(404)
    expect((await scrape('', other.address)).status).toBe(404)
  } finally {
    await other.end()
  }
  await expect(fetch(`http://127.0.0.1:${port}/metrics`)).rejects.toThrow()
})

it('a token that can be guessed is refused in a sentence', () => {
  expect(() => readSettings({ METRICS_TOKEN: 'short' })).toThrow(
    'METRICS_TOKEN must have 16 characters or more.',
  )
})
