import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { scoped, seenIds } from '../../src/server/scope.ts'
import { callerOf } from '../../src/server/session.ts'
import { readSettings } from '../../src/server/settings.ts'
import { createCase } from './newCase.ts'
import { startWorld, type World } from './world.ts'

const EVERYBODY = [
  'admin',
  'manager',
  'hub',
  'advocate',
  'commissioner',
  'volunteer',
  'hubmanager',
  'partner',
  'partnermanager',
  'stranger',
]

/** Issues of four kinds, made by the administrator, and who may see them and their case and client. */
const ROWS = [
  {
    title: "the advocate's own",
    advocate: 'advocate',
    hub: null,
    contract: 2,
    sees: ['admin', 'manager', 'advocate'],
  },
  {
    title: 'of a hub and of a contract',
    advocate: 'stranger',
    hub: 1,
    contract: 1,
    sees: ['admin', 'hub', 'hubmanager', 'commissioner', 'stranger'],
  },
  {
    title: 'unallocated in a service',
    advocate: null,
    hub: null,
    contract: 2,
    sees: ['admin', 'manager', 'advocate', 'volunteer', 'partner', 'partnermanager', 'hub'].filter(
      (who) => who !== 'hub',
    ),
  },
  {
    title: "the partner's",
    advocate: 'partner',
    hub: 2,
    contract: 2,
    sees: ['admin', 'partner', 'partnermanager'],
  },
]

let world: World
const made: { id: number; issue: number; client: number }[] = []

beforeAll(async () => {
  world = await startWorld()
  const admin = await world.as('admin')
  for (const { advocate, hub, contract } of ROWS) {
    const row = await createCase(admin)
    await sql`update cases set contract = ${contract} where id = ${row.id}`.execute(world.db)
    await sql`update issues set hub = ${hub}, advocate = (select id from staff where username = ${advocate}) where id = ${row.issue}`.execute(
      world.db,
    )
    made.push(row)
  }
})
afterAll(() => world?.end())

describe.each(ROWS.map((row, i) => ({ ...row, i })))('an issue $title', ({ i, sees }) => {
  it.each([
    ['issues.read', 'issue'],
    ['issues.monitoring', 'issue'],
    ['cases.read', 'id'],
    ['cases.monitoring', 'id'],
    ['clients.read', 'client'],
    ['clients.monitoring', 'client'],
  ] as const)('%s answers those who may see it and 404 to the others', async (name, key) => {
    const seen: string[] = []
    for (const username of EVERYBODY) {
      const { status } = await (await world.as(username))(name, { params: { id: made[i][key] } })
      expect([200, 404]).toContain(status)
      if (status === 200) seen.push(username)
    }
    expect(seen.sort()).toEqual([...sees].sort())
  })

  it.each([
    ['issues.update', 'issue', {}],
    ['issues.saveMonitoring', 'issue', {}],
    ['issues.retire', 'issue', undefined],
    ['cases.update', 'id', {}],
    ['clients.update', 'client', {}],
  ] as const)('%s is out of reach for the others', async (name, key, body) => {
    for (const username of EVERYBODY.filter((who) => !sees.includes(who) && who !== 'commissioner')) {
      const { status } = await (await world.as(username))(name, { params: { id: made[i][key] }, body })
      expect([username, status]).toEqual([username, 404])
    }
  })

  it('stands in the lists of those and of nobody else, and counts agree', async () => {
    for (const username of EVERYBODY) {
      const person = await world.as(username)
      const { body } = await person('cases.list', { query: { page_size: 100 } })
      expect([username, Object.keys(body.data).includes(String(made[i].id))]).toEqual([
        username,
        sees.includes(username),
      ])
      expect(body.pagination.count).toBe(Object.keys(body.data).length)
      const clients = (await person('clients.list')).body
      expect(clients.data.some((c: { id: number }) => c.id === made[i].client)).toBe(sees.includes(username))
      expect(clients.pagination.count).toBe(clients.data.length)
    }
  })
})

describe('quick search', () => {
  it('finds by part of the name and by id, only in scope', async () => {
    const [advocate, partner] = [await world.as('advocate'), await world.as('partner')]
    await sql`update clients set first_name = 'Zoë', last_name = 'O''Brien-Smith' where id = ${made[0].client}`.execute(
      world.db,
    )
    const find = async (who: typeof advocate, term: string) =>
      (await who('search.quick', { query: { term } })).body.map((c: { id: number }) => c.id)
    for (const term of ['zoe', 'obrien', "O'Brien", 'BRIEN-S', 'zo', String(made[0].client)]) {
      expect([term, await find(advocate, term)]).toEqual([term, [made[0].client]])
      expect([term, await find(partner, term)]).toEqual([term, []])
    }
    expect(await find(advocate, '%')).toEqual([])
    expect(await find(advocate, ' ')).toEqual([])
  })
})

describe('on random data', () => {
  const ENTITIES = ['case', 'client'] as const
  // What nobody in the demo is: of two roles, of a hub without a number, of many services.
  const MIXED = [
    { username: 'advises-and-leads', groups: [3, 2], hub: 2, services: [2, 3], contracts: [] },
    { username: 'without-a-hub', groups: [7], hub: null, services: [], contracts: [] },
    { username: 'commissions-and-works', groups: [5, 6], hub: null, services: [1, 2], contracts: [2, 3] },
  ]

  beforeAll(async () => {
    for (const { username, groups, hub, services, contracts } of MIXED)
      await sql`insert into staff (username, first_name, password_hash, groups, hub, services, contracts)
        select ${username}, ${username}, password_hash, ${groups}::int[], ${hub}, ${services}::int[], ${contracts}::int[]
        from staff where username = 'admin'`.execute(world.db)
    // Mostly made by the administrator, so that it is the issue that decides; somebody is nobody one time in three.
    await world.db.connection().execute(async (db) => {
      await sql`select setseed(0.42)`.execute(db)
      await sql`with somebody as materialized (
        select array_agg(id order by id) ids, max(id) filter (where username = 'admin') admin from staff
      ), c as (
        insert into clients (first_name, last_name, created_by)
        select 'Ann', 'Random', case when random() < 0.1 then ids[ceil(random() * cardinality(ids))::int] else admin end
        from somebody, generate_series(1, 120) returning id
      ), k as (
        insert into cases (client, service, case_type, case_type_version, contract, created_by)
        select id, 1, t, 1, ceil(random() * 4)::int,
          case when random() < 0.1 then ids[ceil(random() * cardinality(ids))::int] else admin end
        from somebody, c, (select min(id) t from case_types), generate_series(1, 2)
        where random() < 0.8 returning id
      )
      insert into issues ("case", service, contract, hub, case_type_version, issue_type, start_date, advocate, created_by)
      select id, ceil(random() * 5)::int, ceil(random() * 4)::int, nullif(floor(random() * 4)::int, 0), 1, 1, '2026-01-01',
        case when random() < 0.67 then ids[ceil(random() * cardinality(ids))::int] end,
        case when random() < 0.1 then ids[ceil(random() * cardinality(ids))::int] else admin end
      from somebody, k, generate_series(1, 2) where random() < 0.7`.execute(db)
    })
  })

  it.each([...EVERYBODY, ...MIXED.map(({ username }) => username)])(
    'a list and a single record show %s the same',
    async (username) => {
      const person = await world.as(username)
      const me = (await callerOf(world.db, person.key, readSettings({})))!
      for (const name of ENTITIES) {
        const entity = world.contract.entities[name]
        const idsWhere = async (where: ReturnType<typeof scoped>) => {
          const from = sql.table(entity.table!)
          const found = sql<{ id: number }>`select r.id from ${from} r where ${where} order by r.id desc`
          const { rows } = await found.execute(world.db)
          return rows.map(({ id }) => id)
        }
        const one = await idsWhere(scoped(entity, me))
        const seen = seenIds(entity, me)
        expect(seen === undefined).toBe(username === 'admin')
        if (seen) expect(await idsWhere(sql`r.id in (${seen})`)).toEqual(one)

        const { body } = await person(`${name}s.list`, { query: { page_size: 500 } })
        const listed = Object.values(body.data as Record<string, { id: number }>).map(({ id }) => id)
        expect(listed.sort((a, b) => b - a)).toEqual(one)
        expect(body.pagination.count).toBe(one.length)
        const beyond = (await person(`${name}s.list`, { query: { p: 999 } })).body
        expect([Object.keys(beyond.data), beyond.pagination.count]).toEqual([[], one.length])
      }
    },
  )
})
