import { readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { resolve } from 'node:path'
import type { FastifyInstance } from 'fastify'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { type Database, openDatabase } from '../../src/server/core/db.ts'
import { readSettings } from '../../src/server/core/settings.ts'
import { createApp } from '../../src/server/http/app.ts'
import { type Caller, describeServer, signIn } from './context.ts'
import { createCase } from './newCase.ts'
import { firing, metricsIn, type Sample, samplesOf } from './promQl.ts'

interface Alert {
  alert: string
  expr: string
  labels: { severity: string }
  annotations: { summary: string; description: string }
}

const deploy = (file: string) => readFileSync(`src/server/ops/deploy/${file}`, 'utf8')
const ALERTS: Alert[] = parse(deploy('alerts.yaml')).groups[0].rules
const PROVIDER = {
  ...{ id: 'council', name: 'Example Council', issuer: 'http://127.0.0.1:1' },
  ...{ client_id: 'casework', client_secret: 'secret' },
}
const TOKEN = 'a token of some length'

const context = describeServer()
let [app, address]: [FastifyInstance | undefined, string] = [undefined, '']
let standby: Database
let advocate: Caller
beforeAll(async () => {
  standby = openDatabase(context.databaseUrl)
  app = await createApp({
    ...context.pools,
    databaseUrl: context.databaseUrl,
    standby,
    contract: context.contract,
    // Nothing listens at the storage.
    settings: readSettings({
      LOG_LEVEL: 'silent',
      PASSWORD_COST: '10',
      DATA_DIR: tmpdir(),
      METRICS_TOKEN: TOKEN,
      // Nor at the provider.
      OPENID_PROVIDERS: JSON.stringify([PROVIDER]),
      ENCRYPTION_KEY: Buffer.alloc(32, 7).toString('base64'),
      FILES_URL: 's3://key:secret@127.0.0.1:1/bucket?tls=0',
    }),
    web: resolve('dist/web'),
  })
  address = await app.listen({ host: '127.0.0.1', port: 0 })
  advocate = await signIn(context.contract, address, 'advocate')
  await sql`insert into job_runs (name, started_at, ended_at, ok) values
    ('backup', now(), now(), true), ('verify backup', now(), now(), true)`.execute(context.db)
})
afterAll(async () => {
  await app?.close()
})

/** What Prometheus stores of a scrape: with `up`, which is its own, and with half of the disk free, whatever this machine has. */
async function scrape(): Promise<Sample[]> {
  const up = (value: number) => ({ name: 'up', labels: { job: 'casework' }, value })
  try {
    const reply = await fetch(`${address}/metrics`, { headers: { authorization: `Bearer ${TOKEN}` } })
    const samples = samplesOf(await reply.text())
    const size = samples.find(({ name }) => name === 'casework_disk_bytes')!.value
    const free = (sample: Sample) =>
      sample.name === 'casework_disk_free_bytes' ? { ...sample, value: size / 2 } : sample
    return [up(1), ...samples.map(free)]
  } catch {
    return [up(0)]
  }
}

const firingNow = (now: Sample[], before: Sample[]) =>
  ALERTS.filter(({ expr }) => firing(expr, { now, before, time: Date.now() / 1000 }).length > 0).map(
    ({ alert }) => alert,
  )
const times = (count: number, work: () => Promise<unknown>) =>
  Promise.all(Array.from({ length: count }, work))
const jobRuns = (startedAgo: string, count: number, ok: boolean) =>
  sql`insert into job_runs (name, started_at, ended_at, ok)
    select 'send digests', now() - ${startedAgo}::interval, now() - ${startedAgo}::interval, ${ok}
    from generate_series(1, ${count})`.execute(context.db)

/**
 * How each alert is made to fire, in this order: the last ones leave nothing that works. What a test cannot do, filling
 * a disk and starting an older release, changes the scrape instead. A returned function ends the cause.
 */
const CAUSES: Record<string, (scraped: Sample[]) => Promise<unknown>> = {
  CaseworkCallsAreRefused: () => times(21, upload),
  CaseworkStorageFails: upload,
  CaseworkConnectionsAreUsedUp: async () => {
    const lock = await standby.db.startTransaction().execute()
    await sql`select pg_advisory_xact_lock(4711)`.execute(lock)
    const queries = Array.from({ length: 30 }, () =>
      sql`select pg_advisory_xact_lock(4711)`.execute(context.db).catch(() => undefined),
    )
    return async () => {
      await lock.rollback().execute()
      await Promise.all(queries)
    }
  },
  CaseworkSignInsFail: async () => {
    const stranger = await signIn(context.contract, address, '')
    await times(101, () => stranger('auth.login', { body: { username: 'nobody', password: 'a guess' } }))
  },
  CaseworkSignOnsFail: async () => {
    const stranger = await signIn(context.contract, address, '')
    const body = { provider: PROVIDER.id, purpose: 'sign in' }
    await times(20, () => stranger('signOn.start', { body }))
  },
  CaseworkAuditIsNotSent: () =>
    sql`insert into audit_outbox (event, at) values (1, now() - interval '1 hour')`.execute(context.db),
  CaseworkAccountsAreLocked: () =>
    sql`insert into access_attempt (key, failures_since_start, locked_until)
      select 'user:' || n, 5, now() + interval '5 minutes' from generate_series(1, 11) n`.execute(context.db),
  CaseworkMailsWait: () => oldMail(1),
  CaseworkMailsAreGivenUp: () => oldMail(10),
  CaseworkDiskIsNearlyFull: async (scraped) => {
    const size = scraped.find(({ name }) => name === 'casework_disk_bytes')!
    const free = scraped.findIndex(({ name }) => name === 'casework_disk_free_bytes')
    scraped[free] = { ...scraped[free], value: size.value * 0.09 }
  },
  CaseworkJobFails: () => jobRuns('1 hour', 4, false),
  CaseworkJobIsNotRun: async () => {
    await sql`delete from job_runs where name = 'send digests'`.execute(context.db)
    await jobRuns('5 hours', 1, true)
  },
  CaseworkReleasesDiffer: async (scraped) => {
    const build = scraped.find(({ name }) => name === 'casework_build_info')!
    scraped.push({ ...build, labels: { ...build.labels, version: '0.0.1' } })
  },
  CaseworkBackupIsNotVerified: () =>
    sql`update job_runs set started_at = now() - interval '15 days', ended_at = now() - interval '15 days'
      where name = 'verify backup'`.execute(context.db),
  CaseworkBackupIsLate: () => sql`delete from job_runs where name = 'backup'`.execute(context.db),
  CaseworkAuditNeedsPartition: async () => {
    const year = new Date().getUTCFullYear()
    for (const one of [year, year + 1]) await sql`drop table ${sql.table(`audit_${one}`)}`.execute(context.db)
  },
  CaseworkAuditIsUnsorted: () => createCase(advocate),
  CaseworkStandbyIsBehind: () => standby.close(),
  CaseworkDatabaseIsDown: () => sql`alter table migration rename to hidden`.execute(context.db),
  CaseworkServerIsDown: async () => {
    await app!.close()
    app = undefined
  },
}

async function upload(): Promise<void> {
  const body = new FormData()
  body.append('file', new Blob(['words'], { type: 'text/plain' }), 'note.txt')
  const reply = await fetch(`${address}/api/files`, { method: 'POST', body, headers: advocate.headers })
  expect(reply.status).toBe(503)
}

/** Queues a mail that is an hour old, after so many attempts. */
async function oldMail(attempts: number): Promise<void> {
  const { client } = await createCase(advocate)
  await sql`with notice as (insert into work_notices (staff, client) values (${advocate.id}, ${client}) returning id)
    insert into mail_outbox (notice, attempts, created_at) select id, ${attempts}, now() - interval '1 hour' from notice`.execute(
    context.db,
  )
}

describe('alert rules', () => {
  it('and the dashboard are about metrics that are served', async () => {
    await upload()
    await jobRuns('1 minute', 1, true)
    const served = new Set((await scrape()).map(({ name }) => name))
    const { panels } = JSON.parse(deploy('dashboard.json')) as { panels: { targets: { expr: string }[] }[] }
    const shown = panels.flatMap(({ targets }) => targets.map(({ expr }) => expr))
    for (const expr of [...ALERTS.map((rule) => rule.expr), ...shown])
      expect([expr, metricsIn(expr).filter((name) => !served.has(name))]).toEqual([expr, []])
  })

  it('say what happened and what to do', () => {
    for (const { alert, labels, annotations } of ALERTS) {
      expect(labels.severity, alert).toMatch(/^(page|warning)$/)
      expect(annotations.summary, alert).toMatch(/\w/)
      expect(annotations.description, alert).toMatch(/\.$/)
    }
  })

  it('are all tried', () => {
    expect(Object.keys(CAUSES).sort()).toEqual(ALERTS.map(({ alert }) => alert).sort())
  })

  it('are quiet while all is well', async () => {
    await createCase(advocate)
    const scraped = await scrape()
    expect(firingNow(scraped, scraped)).toEqual([])
  })

  it.each(Object.entries(CAUSES))('fire: %s', async (alert, cause) => {
    const before = await scrape()
    const scraped = [...before]
    const end = await cause(scraped)
    const isChanged = JSON.stringify(scraped) !== JSON.stringify(before)
    const now = isChanged ? scraped : await scrape()
    if (typeof end === 'function') await end()
    expect(firingNow(before, before)).not.toContain(alert)
    expect(firingNow(now, before)).toContain(alert)
  })
})
