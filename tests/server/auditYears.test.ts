import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Db, openDatabase } from '../../src/server/core/db.ts'
import { readSettings } from '../../src/server/core/settings.ts'
import { dropAuditYears } from '../../src/server/ops/jobs/dropAuditYears.ts'
import type { JobContext } from '../../src/server/ops/jobs/runJobs.ts'
import { freshDatabase } from './database.ts'

const YEAR = new Date().getUTCFullYear()
/** Years with events, of which the first is before the first partition of one year. */
const OLD = [8, 7, 6, 5].map((ago) => YEAR - ago)

let database: Awaited<ReturnType<typeof freshDatabase>>
let db: Db
let close: () => Promise<void>
beforeAll(async () => {
  database = await freshDatabase()
  ;({ db, close } = openDatabase(database.url))
  // Partitions as a service of some years has them; audit_before ends where the first year of the product begins.
  await sql`drop table audit_before`.execute(db)
  await sql`create table audit_before partition of audit for values from (minvalue) to (audit_year_start(${sql.lit(OLD[1])}))`.execute(
    db,
  )
  for (const year of OLD.slice(1))
    await sql`create table ${sql.table(`audit_${year}`)} partition of audit
      for values from (audit_year_start(${sql.lit(year)})) to (audit_year_start(${sql.lit(year + 1)}))`.execute(
      db,
    )
  for (const year of OLD)
    await sql`insert into audit (action, entity, at) values ('open', 'client', ${`${year}-12-31T23:00:00Z`})`.execute(
      db,
    )
})
afterAll(async () => {
  await close?.()
  await database?.drop()
})

const years = async () => {
  const { rows } = await sql<{
    year: number
  }>`select extract(year from at at time zone 'UTC')::int as year from audit
    order by at`.execute(db)
  return rows.map(({ year }) => year)
}

async function run(now: string, env: Record<string, string>, lastOk?: Date): Promise<unknown[]> {
  const logged: unknown[] = []
  const log = {
    warn: (line: { partition: string }) => logged.push(line.partition),
  } as unknown as JobContext['log']
  const context = { db, settings: readSettings(env), log, lastOk } as JobContext
  await dropAuditYears(context, new Date(now))
  return logged
}

const NOW = new Date().toISOString()
const YESTERDAY = new Date(Date.now() - 86_400_000)

it('the audit is stored for ever by default', async () => {
  expect(await run(NOW, {})).toEqual([])
  expect(await years()).toEqual(OLD)
})

it('a year goes as a whole once all of it is older, with what is logged of it, once a day', async () => {
  expect(await run(NOW, { AUDIT_YEARS: '6' })).toEqual(['audit_before', `audit_${OLD[1]}`])
  expect(await years()).toEqual([OLD[2], OLD[3]])
  expect(await run(NOW, { AUDIT_YEARS: '5' }, new Date(NOW))).toEqual([])
  expect(await years()).toEqual([OLD[2], OLD[3]])
  expect(await run(NOW, { AUDIT_YEARS: '5' }, YESTERDAY)).toEqual([`audit_${OLD[2]}`])
  expect(await years()).toEqual([OLD[3]])
})

it('no year goes by the clock of a server that is wrong', async () => {
  expect(await run('2100-01-01T12:00:00Z', { AUDIT_YEARS: '5' })).toEqual([])
})

it('years without a partition of their own, and those to come, stay', async () => {
  const { rows } = await sql<{ name: string }>`select inhrelid::regclass::text as name from pg_inherits
    where inhparent = 'audit'::regclass order by 1`.execute(db)
  const year = new Date().getUTCFullYear()
  expect(rows.map(({ name }) => name)).toEqual([
    `audit_${OLD[3]}`,
    `audit_${year}`,
    `audit_${year + 1}`,
    'audit_other',
  ])
})

it.each(['0', '-1', '1.5', 'ever', '1000'])('AUDIT_YEARS %s is refused in a sentence', (AUDIT_YEARS) => {
  expect(() => readSettings({ AUDIT_YEARS })).toThrow(
    'AUDIT_YEARS must be a whole number of years, 1 or more.',
  )
})
