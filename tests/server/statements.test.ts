import { Kysely, PostgresDialect, sql } from 'kysely'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Call, Caller } from '../../src/server/core/call.ts'
import { type Db, openDatabase, type Row } from '../../src/server/core/db.ts'
import { isStable, NO_PREPARE } from '../../src/server/core/namedStatements.ts'
import { columnsOf, readFrom } from '../../src/server/records/query/columns.ts'
import { list } from '../../src/server/records/verbs/list.ts'
import { contract } from '../loadedContract.ts'
import { freshDatabase } from './database.ts'

let database: Awaited<ReturnType<typeof freshDatabase>>
let client: pg.Client
const opened: { close: () => Promise<void> }[] = []

beforeAll(async () => {
  database = await freshDatabase()
  client = new pg.Client({ connectionString: database.url })
  await client.connect()
})
afterAll(async () => {
  await Promise.all(opened.map(({ close }) => close()))
  await client?.end()
  await database?.drop()
})

/** One connection of the server. */
function connect(prepared = true): Db {
  const one = openDatabase(database.url, { size: 1, prepared })
  opened.push(one)
  return one.db
}
const preparedBy = async (db: Db) =>
  (
    await sql<{
      statement: string
    }>`select ${sql.raw(NO_PREPARE)} statement from pg_prepared_statements`.execute(db)
  ).rows

describe('a query', () => {
  const add = (db: Db, n: number, text = '') =>
    sql<Row>`select ${n}::int + 1 as n ${sql.raw(text)}`.execute(db)

  it('with values is prepared when it comes again, and answers the same', async () => {
    const db = connect()
    for (const n of [1, 2, 3]) expect((await add(db, n)).rows).toEqual([{ n: n + 1 }])
    expect(await preparedBy(db)).toEqual([{ statement: 'select $1::int + 1 as n ' }])
  })

  it.each([
    ['without values', 'select count(*) from staff', 1],
    ['with a path into JSON', `select jsonb_path_query_first('[2]', '$[*] ? (@ > 1)')`, 1],
    ['that is not known to have the same columns', 'select * from staff', 0],
    ['that changes rows and replies with whatever they have', 'update staff set id = id returning *', 0],
    ['of several statements', 'select 1; select 2', 0],
    ['that is no query', `set time zone 'UTC'`, 0],
  ])('%s, as %s, is prepared %i times', async (_, text, times) => {
    const db = connect()
    for (const __ of [1, 2, 3]) await sql.raw(text).execute(db)
    expect(await preparedBy(db)).toHaveLength(times)
  })

  it('is prepared again by a new connection', async () => {
    const db = connect()
    await add(db, 1)
    expect(await preparedBy(db)).toHaveLength(1)
  })

  it('is prepared within bounds, however many texts there are', async () => {
    const db = connect()
    for (let i = 0; i < 300; i++) for (const n of [1, 2]) await add(db, n, `-- ${i}`)
    expect(await preparedBy(db)).toHaveLength(200)
    expect((await add(db, 1, '-- 299')).rows).toEqual([{ n: 2 }])
  })

  it('is not prepared where it searches: what a plan costs depends on the pattern', async () => {
    const db = connect()
    for (const n of [1, 2, 3]) await sql`select id from clients where search like ${`${n}%`}`.execute(db)
    expect(await preparedBy(db)).toEqual([])
  })

  it.each([
    ['manager', 'client_name', 0],
    ['admin', 'client_name', 1],
    ['manager', undefined, 0],
  ])(
    'of a long list that %s sees, ordered by %s, is prepared %i times: only with a team can it be known how many rows are read',
    async (username, order_by, times) => {
      const db = connect()
      const me = {
        id: 1,
        groups: [username === 'admin' ? 1 : 2],
        services: [1],
        contracts: [1],
        hub: null,
        team: [1, 2],
      }
      const query = order_by ? { order_by } : {}
      const call = { contract, db, me, query, params: {}, endpoint: contract.endpoints['cases.list'] }
      for (let i = 0; i < 3; i++) await list(call as unknown as Call, contract.entities.caseRow)
      expect(await preparedBy(db)).toHaveLength(times)
    },
  )

  it('is not prepared where that is switched off', async () => {
    const db = connect(false)
    for (const n of [1, 2, 3]) await add(db, n)
    expect(await preparedBy(db)).toEqual([])
  })

  it('goes on while a migration adds a column to what it reads', async () => {
    const db = connect()
    await client.query('create table note (id int, body text); insert into note values (1, $$a$$)')
    await client.query('create view notes as select * from note')
    const reads = [sql`select * from notes where id = ${1}`, sql`select r.* from note r where id = ${1}`]
    const read = async (tx: Db) => {
      for (const query of [...reads, sql`select id, body from notes where id = ${1}`]) await query.execute(tx)
    }
    for (let i = 0; i < 3; i++) await db.transaction().execute(read)
    await client.query('alter table note add words text; create or replace view notes as select * from note')
    await db.transaction().execute(read)
    await client.query('drop view notes; create view notes as select words, id, body from note')
    await db.transaction().execute(read)
    expect((await reads[0].execute(db)).rows).toEqual([{ words: null, id: 1, body: 'a' }])
  })

  it('goes on after an error in a transaction', async () => {
    const db = connect()
    const wrong = (text: string) => sql`select ${text}::int as n`.execute(db)
    for (const text of ['1', '2', 'x', '3'])
      await (text === 'x' ? expect(wrong(text)).rejects.toThrow('invalid input') : wrong(text))
  })
})

it.each(Object.values(contract.entities).filter(({ table, view }) => table ?? view))(
  'the columns of $$id can be planned once',
  (entity) => {
    const me = { id: 2, groups: [4], services: [1], contracts: [], team: [2], hub: 1, readsGroups: [1] }
    const columns = columnsOf(entity, { ...me, oldCaseDays: 90 } as unknown as Caller)
    const text = sql`select ${columns} from ${readFrom(entity)} r where r.id = ${1}`.compile(connect()).sql
    expect(isStable(text), text).toBe(true)
  },
)

describe('a list of many records', () => {
  beforeAll(async () => {
    await client.query(`insert into case_types (label, service) values ('Type', 1);
      insert into clients (first_name, last_name) select 'Ann', 'Example' from generate_series(1, 1000);
      insert into cases (client, service, case_type, case_type_version, contract)
        select id, 1, 1, 1, 1 from clients;
      insert into issues ("case", service, contract, case_type_version, issue_type, start_date, answers)
        select id, 1, 1, 1, 1, '2026-01-01', '{"sfg_concern": "yes"}' from cases;
      insert into automation_states (case_type, name, version, client, "case", issue, label, level, text, because)
        select 1, 'open_concern', 1, client, "case", id, 'Open concern', 'danger', 'Open concern', '' from issues;
      analyze`)
  })

  /** The plans of the statements that a list sends, and its reply. */
  async function planned(endpoint: string, entity: string, rest: { me: Row; params?: Row }) {
    const queries: { sql: string; parameters: readonly unknown[] }[] = []
    const db = new Kysely<Record<string, Row>>({
      dialect: new PostgresDialect({ pool: new pg.Pool({ connectionString: database.url, max: 1 }) }),
      log: ({ query }) => void queries.push(query),
    })
    opened.push({ close: () => db.destroy() })
    const call = { db, contract, endpoint: contract.endpoints[endpoint], params: {}, query: {}, ...rest }
    const { data, pagination } = await list(call as unknown as Call, contract.entities[entity])
    const plans: Plan[] = []
    for (const { sql: text, parameters } of queries) {
      const { rows } = await client.query({
        text: `explain (analyze, format json) ${text}`,
        values: [...parameters],
      })
      plans.push(rows[0]['QUERY PLAN'][0].Plan)
    }
    return { data, pagination, plans }
  }

  const ADMINISTRATOR = { id: 1, groups: [1], services: [], contracts: [], team: [], hub: null }
  const ADVOCATE = { id: 2, groups: [4], services: [1], contracts: [], team: [2], hub: null }

  it('of a parent reads the rows of that parent only, also where ids are computed', async () => {
    const { data, plans } = await planned('clients.alerts', 'alert', { me: ADMINISTRATOR, params: { id: 7 } })
    expect(data).toHaveLength(1)
    expect(plans.reduce((sum, plan) => sum + rowsRead(plan, 'issues'), 0)).toBeLessThan(20)
  })

  it.each([
    ['clients.list', 'clientRow', 'clients'],
    ['cases.list', 'caseRow', 'cases'],
  ])(
    'of a caseload finds and counts the keys of %s off its access rows alone',
    async (endpoint, entity, table) => {
      const { data, pagination, plans } = await planned(endpoint, entity, { me: ADVOCATE })
      expect(pagination.count).toBe(1000)
      const [keys, columns] = plans
      expect(rowsRead(keys, table)).toBe(0)
      expect(rowsRead(columns, table)).toBe(data.length)
    },
  )
})

interface Plan {
  'Relation Name'?: string
  'Actual Rows': number
  'Actual Loops': number
  'Rows Removed by Filter'?: number
  Plans?: Plan[]
}

/** Rows of a table that a plan read. */
function rowsRead(plan: Plan, table: string): number {
  const { 'Actual Rows': kept, 'Rows Removed by Filter': removed = 0, 'Actual Loops': loops } = plan
  const here = plan['Relation Name'] === table ? (kept + removed) * loops : 0
  return (plan.Plans ?? []).reduce((sum, below) => sum + rowsRead(below, table), here)
}
