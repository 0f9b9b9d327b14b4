import { sql } from 'kysely'
import { beforeAll, describe, expect, it } from 'vitest'
import { sendMail } from '../../src/server/access/mail.ts'
import { readSettings } from '../../src/server/core/settings.ts'
import { withClient } from '../../src/server/ops/command/withClient.ts'
import { JOBS } from '../../src/server/ops/jobs/jobs.ts'
import type { JobContext } from '../../src/server/ops/jobs/runJobs.ts'
import { type Caller, describeServer, startTestServer } from './context.ts'

const context = describeServer({ SMTP_URL: 'smtp://127.0.0.1:1', BACKUP_DIR: '/srv/backups' })
let admin: Caller
beforeAll(async () => {
  admin = await context.as('admin')
})

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

describe('backups', () => {
  const clear = () => sql`delete from job_runs where name in ('backup', 'verify backup')`.execute(context.db)
  const run = (name: string, startedAgo: string, ok: boolean | null = true) =>
    sql`insert into job_runs (name, started_at, ended_at, ok) values
      (${name}, now() - ${startedAgo}::interval, ${ok === null ? null : sql`now()`}, ${ok})`.execute(
      context.db,
    )

  it.each([
    ['none', [], { last_backup: null, backup_age: null, backup_is_late: false, backup_failed: false }],
    ['25 hours old', ['25 hours'], { backup_age: '25 hours', backup_is_late: false }],
    ['27 hours old', ['27 hours'], { backup_age: '27 hours', backup_is_late: true }],
    ['three days old', ['72 hours', '80 hours'], { backup_age: '3 days', backup_is_late: true }],
    ['a minute old', ['70 seconds'], { backup_age: '1 minute', backup_is_late: false }],
  ])('%s: the age is shown, and is a problem after 26 hours', async (_, ages, expected) => {
    await clear()
    for (const age of ages) await run('backup', age)
    expect(await read()).toMatchObject({ verified_age: 'Never', ...expected })
  })

  it('that failed since the last good one are a problem, and verified ones are shown', async () => {
    await clear()
    await run('backup', '3 hours')
    await run('verify backup', '2 hours')
    await run('backup', '1 hour', false)
    expect(await read()).toMatchObject({
      backup_age: '3 hours',
      backup_failed: true,
      verified_age: '0 minutes',
    })
    await run('backup', '10 minutes')
    expect(await read()).toMatchObject({ backup_age: '10 minutes', backup_failed: false })
  })

  it('under way show their progress, and where they go', async () => {
    expect((await read()).backup_progress).toBe(null)
    const progress = await withClient(
      context.databaseUrl,
      'backup run 43 %, audit',
      async () => (await read()).backup_progress,
    )
    expect(progress).toBe('43 %, audit')
    expect((await read()).backups).toBe('By npm run backup into /srv/backups, not encrypted')
  })
})

it('an email that could not be sent shows with its code, and no address', async () => {
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
  expect(options!.map(({ value }) => value).sort()).toEqual(
    [...Object.keys(JOBS), 'backup', 'verify backup'].sort(),
  )
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

it('a server that is about to stop says so to the proxy that checks it, and takes calls until none come', async () => {
  const other = await startTestServer()
  const statusOf = async (path: string) => (await fetch(other.address + path)).status
  expect([await statusOf('/healthz'), await statusOf('/readyz')]).toEqual([200, 200])
  const since = performance.now()
  const drained = other.app.drain().then(() => performance.now())
  expect([await statusOf('/healthz'), await statusOf('/readyz')]).toEqual([503, 503])
  const advocate = await other.as('advocate')
  const calls: { start: number; end: number }[] = []
  // Longer than a proxy usually takes to see that the checks fail.
  while (performance.now() - since < 3000) {
    const start = performance.now()
    expect((await advocate('auth.me')).status).toBe(200)
    calls.push({ start, end: performance.now() })
  }
  const drainedAt = await drained
  // On a busy machine calls may come so rarely that draining ends between two of them.
  const last = Math.max(...calls.filter(({ end }) => end < drainedAt).map(({ start }) => start))
  expect(drainedAt - last).toBeGreaterThanOrEqual(500)
  await other.end()
})

it('a migration in progress shows how far it is, until it is done', async () => {
  expect((await read()).migration).toBe(null)
  await sql`insert into migration_step (migration, step, kind, runs, hash, table_name, rows_done, rows_total)
    values ('900_fill', 2, 'expand', 'batched', '', 'clients', 90, 200)`.execute(context.db)
  expect(await read()).toMatchObject({
    migration: '900_fill, step 2: 45 % of clients',
    migration_at: expect.stringMatching(/^\d{4}-/),
  })
  await sql`update migration_step set finished_at = now() where migration = '900_fill'`.execute(context.db)
  expect((await read()).migration).toBe(null)
})
