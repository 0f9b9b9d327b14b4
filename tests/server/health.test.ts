import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { JOBS, type JobContext } from '../../src/server/jobs/jobs.ts'
import { readSettings } from '../../src/server/settings.ts'
import { sendMail } from '../../src/server/signIn/mail.ts'
import { type Caller, startTestServer, type TestContext } from './context.ts'

let context: TestContext
let admin: Caller
beforeAll(async () => {
  context = await startTestServer({ SMTP_URL: 'smtp://127.0.0.1:1' })
  admin = await context.as('admin')
})
afterAll(() => context?.end())

const read = async () => (await admin('health.read')).body

it('administrators see what runs, on which database, and how full its pools are', async () => {
  const { rows } = await sql<{ name: string }>`select max(name) as name from migration`.execute(context.db)
  const health = await read()
  expect(health).toMatchObject({
    version: expect.stringMatching(/^\d+\.\d+\.\d+$/),
    schema_version: rows[0].name,
    database_version: expect.stringMatching(/^\d+\.\d+/),
    database_size: expect.stringMatching(/^\d+ [kM]B$/),
    servers: 1,
    connections: expect.stringMatching(/^ordinary: \d+ of \d+ in use, 0 waiting; reserved: .*; slow: /),
    mail: 'A mail server',
    mails_leave: true,
    last_backup: null,
  })
  expect(Math.abs(Date.now() - performance.now() - Date.parse(health.started_at))).toBeLessThan(5000)
  expect((await (await context.as('manager'))('health.read')).status).toBe(403)
})

it('a backup is the last that somebody reported as gone well', async () => {
  const report = (at: string, ok: boolean) =>
    sql`insert into job_runs (name, started_at, ended_at, ok) values ('backup', ${at}, ${at}, ${ok})`.execute(
      context.db,
    )
  await report('2026-03-01T02:00:00Z', true)
  await report('2026-03-02T02:00:00Z', false)
  expect((await read()).last_backup).toBe('2026-03-01T02:00:00.000Z')
})

it('a mail that could not be sent shows with its code, and no address', async () => {
  const settings = readSettings({ SMTP_URL: 'smtp://127.0.0.1:1' })
  const mail = { to: 'ann@example.org', subject: 'x', text: 'x' }
  await sendMail({ settings, log: context.app.log }, mail).catch(() => undefined)
  const health = await read()
  expect(health).toMatchObject({ mail_error: 'ESOCKET' })
  expect(Date.now() - Date.parse(health.mail_failed_at)).toBeLessThan(60_000)
  expect(JSON.stringify(health)).not.toContain('ann@')
})

it('a missing partition of the audit shows with its year, unless it is months away', async () => {
  const year = new Date().getUTCFullYear()
  expect(await read()).toMatchObject({
    audit_partitions: `until the end of ${year + 1}`,
    audit_is_missing: false,
  })
  await sql`drop table ${sql.table(`audit_${year}`)}`.execute(context.db)
  expect(await read()).toMatchObject({
    audit_partitions: `audit partition for ${year} missing`,
    audit_is_missing: true,
  })
  await JOBS['partition the audit']({
    db: context.db,
    ending: new AbortController().signal,
  } as JobContext)
  expect(await read()).toMatchObject({ audit_is_missing: false })
})

it('each job has a title', () => {
  const { options } = context.contract.entities.jobRow.properties.name
  expect(options!.map(({ value }) => value).sort()).toEqual([...Object.keys(JOBS), 'backup'].sort())
})

it('each job shows with its last run, also one that was cut off', async () => {
  await sql`insert into job_runs (name, started_at, ended_at, ok, error_code) values
    ('a', now() - interval '3 hours', now() - interval '3 hours', false, '57P01'),
    ('a', now() - interval '90 seconds', now(), true, null),
    ('b', now() - interval '2 hours', null, null, null),
    ('c', now(), null, null, null),
    ('d', now(), now(), false, '42P01')`.execute(context.db)
  const { data } = (await admin('health.jobs')).body
  const seen = data.filter(({ name }: { name: string }) => name.length === 1)
  expect(
    seen.map(({ name, outcome, seconds, error_code, failures }: Record<string, unknown>) => [
      name,
      outcome,
      seconds,
      error_code,
      failures,
    ]),
  ).toEqual([
    ['a', 'Done', 90, null, 1],
    ['b', 'Cut off', null, null, 0],
    ['c', 'Under way', null, null, 0],
    ['d', 'Failed', 0, '42P01', 1],
  ])
})

it('a server that is about to stop says so to the proxy that checks it, and takes calls until then', async () => {
  const other = await startTestServer()
  const since = performance.now()
  const statusOf = async (path: string) => (await fetch(other.address + path)).status
  expect([await statusOf('/healthz'), await statusOf('/readyz')]).toEqual([200, 200])
  const drained = other.app.drain()
  expect([await statusOf('/healthz'), await statusOf('/readyz')]).toEqual([503, 503])
  expect((await (await other.as('advocate'))('auth.me')).status).toBe(200)
  await drained
  expect(performance.now() - since).toBeGreaterThan(2400)
  await other.end()
})
