import { randomBytes } from 'node:crypto'
import { rmSync } from 'node:fs'
import { sql } from 'kysely'
import { Client } from 'pg'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type Db, openDatabase } from '../../src/server/core/db.ts'
import { readSettings } from '../../src/server/core/settings.ts'
import { addAuditYears } from '../../src/server/ops/jobs/addAuditYears.ts'
import { partitionAudit } from '../../src/server/ops/jobs/partitionAudit.ts'
import type { JobContext } from '../../src/server/ops/jobs/runJobs.ts'
import { migrateDatabase } from '../../src/server/ops/migrate/migrateDatabase.ts'
import { exportData } from '../../src/server/ops/transfer/exportData.ts'
import { auditPartitions, daysUntil } from '../../src/server/records/audit/auditPartitions.ts'
import { temporaryFolder } from '../temporaryFolder.ts'
import { freshDatabase } from './database.ts'

const YEAR = new Date().getUTCFullYear()

let database: Awaited<ReturnType<typeof freshDatabase>>
let db: Db
let close: () => Promise<void>
beforeEach(async () => {
  database = await freshDatabase()
  ;({ db, close } = openDatabase(database.url))
  // As if nobody had run the migrator for three years.
  await sql`drop table audit_before, ${sql.table(`audit_${YEAR}`)}, ${sql.table(`audit_${YEAR + 1}`)}`.execute(
    db,
  )
  await sql`create table audit_before partition of audit
    for values from (minvalue) to (${sql.lit(`${YEAR - 2}-01-01T00:00:00Z`)})`.execute(db)
  await write(...TIMES)
})
afterEach(async () => {
  await close?.()
  await database?.drop()
})

const TIMES = [
  `${YEAR - 3}-06-01T00:00:00Z`,
  `${YEAR - 2}-12-31T23:59:59.999999Z`,
  `${YEAR - 1}-01-01T00:00:00Z`,
  // Midnight of 1 January of this year in the time zone that is first to have it is still last year's in UTC.
  `${YEAR}-01-01T00:00:00+14:00`,
  `${YEAR}-01-01T00:00:00Z`,
  `${YEAR}-03-01T12:00:00Z`,
  `${YEAR + 1}-01-01T00:00:00Z`,
  `${YEAR + 2}-01-01T00:00:00Z`,
  `${YEAR + 60}-05-05T00:00:00Z`,
]
const PLACES = [
  'audit_before',
  `audit_${YEAR - 2}`,
  `audit_${YEAR - 1}`,
  `audit_${YEAR - 1}`,
  `audit_${YEAR}`,
  `audit_${YEAR}`,
  `audit_${YEAR + 1}`,
  'audit_other',
  'audit_other',
]

async function write(...times: string[]): Promise<void> {
  await sql`insert into audit (action, entity, record, at, changes)
    select 'open', 'case', n, at, '{"a": 1}' from unnest(${times}::timestamptz[]) with ordinality t(at, n)`.execute(
    db,
  )
}

/** All events as they are, without the table that each is in. */
async function events(): Promise<unknown[]> {
  return (await sql`select * from audit order by at, id`.execute(db)).rows
}

async function places(): Promise<string[]> {
  const { rows } = await sql<{ table: string }>`select tableoid::regclass::text as table from audit
    where action = 'open' order by at`.execute(db)
  return rows.map(({ table }) => table)
}

const leftovers = async () =>
  (
    await sql`select tgname from pg_trigger where tgname = 'audit_mirror'
      union all select relname from pg_class where relname like 'audit_moving%' and relkind in ('r', 'p')
      union all select conname from pg_constraint where conname = 'in_year'`.execute(db)
  ).rows

describe('events of years without a partition', () => {
  it('are moved into one each, and those of years to come stay', async () => {
    const before = await events()
    expect(new Set((await places()).slice(1))).toEqual(new Set(['audit_other']))
    await addAuditYears(db)
    expect(await places()).toEqual(PLACES)
    expect(await events()).toEqual(before)
    expect(await leftovers()).toEqual([])
    await addAuditYears(db)
    expect(await places()).toEqual(PLACES)
  })

  it('are moved by the migrator, and what it creates is like the other partitions', async () => {
    await migrateDatabase(readSettings({ DATABASE_URL: database.url }))
    expect(await places()).toEqual(PLACES)
    const shapeOf = async (name: string) =>
      (
        await sql`select
          (select array_agg(replace(pg_get_indexdef(indexrelid), ${name}, '') order by 1) from pg_index
            where indrelid = ${name}::regclass) is not null as indexes,
          (select count(*)::int from pg_index i join pg_inherits h on h.inhrelid = i.indexrelid
            where indrelid = ${name}::regclass) as attached,
          (select array_agg(tgname || tgenabled::text order by tgname) from pg_trigger where tgrelid = ${name}::regclass) as triggers,
          (select array_agg(attname || attgenerated::text || attnotnull order by attnum) from pg_attribute
            where attrelid = ${name}::regclass and attnum > 0) as columns`.execute(db)
      ).rows[0]
    expect(await shapeOf(`audit_${YEAR}`)).toEqual(await shapeOf('audit_before'))
    expect(await shapeOf('audit_other')).toEqual(await shapeOf('audit_before'))
    await write(`${YEAR}-04-01T00:00:00Z`)
    expect(await places()).toContain(`audit_${YEAR}`)
  })

  it('are each seen once at any time, while people write, delete and change them', async () => {
    const many = Array.from(
      { length: 400 },
      (_, i) => `${YEAR}-02-02T00:00:${String(i % 60).padStart(2, '0')}Z`,
    )
    await write(...many)
    let isDone = false
    let [written, deleted] = [0, 0]
    const writer = (async () => {
      while (!isDone) {
        await sql`insert into audit (action, entity) values ('update', 'client')`.execute(db)
        written++
      }
    })()
    const other = (async () => {
      while (!isDone) {
        await sql`update audit set changes = '{"b": 2}' where id in (select id from audit where changes = '{"a": 1}' limit 3)`.execute(
          db,
        )
        const gone = await sql`delete from audit where id in (
          select id from audit where changes = '{"b": 2}' and action = 'open' and at < ${many[30]} limit 1)`.execute(
          db,
        )
        deleted += Number(gone.numAffectedRows)
      }
    })()
    const counts: { n: number; ids: number; least: number; most: number }[] = []
    const reader = (async () => {
      while (!isDone) {
        const since = { written, deleted }
        const { rows } = await sql<{
          n: number
          ids: number
        }>`select count(*)::int as n, count(distinct id)::int as ids
          from audit`.execute(db)
        // A row more may be written or deleted, and not counted here yet.
        const [least, most] = [since.written - deleted - 1, written + 1 - since.deleted]
        counts.push({ ...rows[0], least, most })
      }
    })()
    await expect.poll(() => written, { timeout: 20_000 }).toBeGreaterThan(5)
    await addAuditYears(db, { batch: 5 })
    isDone = true
    await Promise.all([writer, other, reader])
    const start = TIMES.length + many.length
    for (const { n, ids, least, most } of counts) {
      expect(ids).toBe(n)
      expect(n).toBeGreaterThanOrEqual(start + least)
      expect(n).toBeLessThanOrEqual(start + most)
    }
    const { rows } = await sql`select count(*)::int as n, count(distinct id)::int as ids,
      count(*) filter (where changes is null)::int as written from audit`.execute(db)
    expect(rows).toEqual([{ n: start + written - deleted, ids: start + written - deleted, written }])
    expect(await leftovers()).toEqual([])
  })

  it('are never lost by a kill, whichever statement it cuts off, and the next run goes on', async () => {
    await write(...Array.from({ length: 20 }, () => `${YEAR}-02-02T00:00:00Z`))
    const before = await events()
    for (let allowed = 0, isDone = false; !isDone; allowed++) {
      let statements = 0
      const killed = db.withPlugin({
        transformQuery: ({ node }) => {
          if (statements++ >= allowed) throw new Error('killed')
          return node
        },
        transformResult: async ({ result }) => result,
      })
      isDone = await addAuditYears(killed, { batch: 7 }).then(
        () => true,
        ({ message }) => {
          expect(message).toBe('killed')
          return false
        },
      )
      expect(await events()).toEqual(before)
      expect(allowed).toBeLessThan(50)
    }
    expect(new Set(await places())).toEqual(new Set(PLACES))
    expect(await leftovers()).toEqual([])
  })

  it('are moved once by several servers at a time', async () => {
    await write(...Array.from({ length: 50 }, () => `${YEAR}-02-02T00:00:00Z`))
    const before = await events()
    await Promise.all([1, 2, 3].map(() => addAuditYears(db, { batch: 7 })))
    expect(await events()).toEqual(before)
    expect(new Set(await places())).toEqual(new Set(PLACES))
    expect(await leftovers()).toEqual([])
  })

  it('are moved anew if the audit got a column since a move was cut off', async () => {
    await sql`select begin_audit_move()`.execute(db)
    await sql`alter table audit add extra text default 'x'`.execute(db)
    await addAuditYears(db)
    expect(await places()).toEqual(PLACES)
    expect(await leftovers()).toEqual([])
  })

  it('are in an export once, also in the middle of a move', async () => {
    const { rows } = await sql<{ move: number }>`select begin_audit_move() as move`.execute(db)
    await sql`select copy_audit_rows(${rows[0].move}, -1, 1000, 4)`.execute(db)
    const folder = temporaryFolder('audit-export-')
    try {
      const { tables } = await exportData(database.url, folder)
      expect(
        tables.filter(({ name }) => name.startsWith('audit')).map((table) => [table.name, table.rows]),
      ).toEqual([
        ['audit', TIMES.length],
        ['audit_removals', 0],
      ])
    } finally {
      rmSync(folder, { recursive: true })
    }
  })

  it('that cannot be moved are a sentence, and nothing of them is lost', async () => {
    await sql`create table ${sql.table(`audit_${YEAR}`)} (id int)`.execute(db)
    const before = await events()
    await expect(migrateDatabase(readSettings({ DATABASE_URL: database.url }))).rejects.toThrow(
      `The migrations are applied, but the next partition of the audit is missing: relation "audit_${YEAR}" already exists. Mend this, then run this again.`,
    )
    expect(await events()).toEqual(before)
  })
})

it('a server whose role owns no table keeps writing during a move, and only warns', async () => {
  const role = `app_${randomBytes(4).toString('hex')}`
  await sql`create role ${sql.ref(role)} login password 'secret'`.execute(db)
  const url = new URL(database.url)
  url.username = role
  url.password = 'secret'
  const limited = openDatabase(url.href)
  try {
    await sql`grant usage on schema public to ${sql.ref(role)}`.execute(db)
    await sql`grant select, insert, update, delete on all tables in schema public to ${sql.ref(role)}`.execute(
      db,
    )
    const logged: unknown[] = []
    const log = { warn: (line: object) => logged.push(line) } as unknown as JobContext['log']
    const ending = new AbortController().signal
    await partitionAudit({ db: limited.db, log, ending } as JobContext)
    expect(logged).toEqual([{ years: [YEAR - 2, YEAR - 1, YEAR, YEAR + 1] }])
    await sql`select begin_audit_move()`.execute(db)
    await sql`insert into audit (action, entity) values ('update', 'client')`.execute(limited.db)
    await sql`update audit set changes = null where changes is not null`.execute(limited.db)
    await addAuditYears(db)
    expect(await places()).toEqual(PLACES)
    await sql`insert into audit (action, entity) values ('update', 'client')`.execute(limited.db)
    await partitionAudit({ db: limited.db, log, ending } as JobContext)
    expect(logged).toHaveLength(1)
    const { rows } = await sql`select count(*)::int as n, count(changes)::int as changes from audit`.execute(
      db,
    )
    expect(rows).toEqual([{ n: TIMES.length + 2, changes: 0 }])
  } finally {
    await limited.close()
    await sql`drop owned by ${sql.ref(role)}`.execute(db)
    await sql`drop role ${sql.ref(role)}`.execute(db)
  }
})

it('a move waits for readers of the audit, and blocks others for at most its lock timeout', async () => {
  const reading = new Client({ connectionString: database.url })
  await reading.connect()
  await reading.query('begin; lock table audit in access share mode')
  const moved = addAuditYears(db)
  await expect
    .poll(
      async () =>
        (
          await sql`select 1 from pg_stat_activity where wait_event_type = 'Lock' and query like '%end_audit_move%'`.execute(
            db,
          )
        ).rows.length,
      { timeout: 20_000 },
    )
    .toBe(1)
  await write(`${YEAR}-05-05T00:00:00Z`)
  await reading.query('commit')
  await reading.end()
  await moved
  expect(new Set((await places()).slice(1))).toEqual(new Set(PLACES.slice(1)))
})

describe('the warning', () => {
  it.each([
    ['2027-11-02T00:00:00Z', '2028-01-01T00:00:00Z', 60, 'audit partition for 2028 missing'],
    ['2027-11-01T23:59:59.999Z', '2028-01-01T00:00:00Z', 60.00000001, 'until the end of 2027'],
    ['2027-11-01T00:00:00Z', '2028-01-01T00:00:00Z', 61, 'until the end of 2027'],
    ['2027-12-31T23:59:59Z', '2028-01-01T00:00:00Z', 1 / 86_400, 'audit partition for 2028 missing'],
    ['2028-01-01T00:00:00Z', '2028-01-01T00:00:00Z', 0, 'audit partition for 2028 missing'],
    ['2028-06-01T00:00:00Z', '2028-01-01T00:00:00Z', -152, 'audit partition for 2028 missing'],
    ['2028-01-01T00:00:00Z', '2029-01-01T00:00:00Z', 366, 'until the end of 2028'],
  ])('at %s with partitions until %s is %d days: %s', (now, until, days, words) => {
    expect(daysUntil(new Date(until), new Date(now))).toBeCloseTo(days, 7)
    expect(auditPartitions(new Date(until), new Date(now))).toEqual({
      words,
      isMissing: words.endsWith('missing'),
    })
  })

  it('is about the first year that has no partition, from now on', async () => {
    const until = async () =>
      (
        await sql<{ until: Date }>`select audit_partitioned_until() as until`.execute(db)
      ).rows[0].until.toISOString()
    expect(await until()).toBe(`${YEAR - 2}-01-01T00:00:00.000Z`)
    await addAuditYears(db)
    expect(await until()).toBe(`${YEAR + 2}-01-01T00:00:00.000Z`)
    await sql`drop table ${sql.table(`audit_${YEAR}`)}`.execute(db)
    expect(await until()).toBe(`${YEAR}-01-01T00:00:00.000Z`)
  })
})
