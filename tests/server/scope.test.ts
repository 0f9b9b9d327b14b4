import { sql } from 'kysely'
import { beforeAll, describe, expect, it } from 'vitest'
import { callOf, parametersOf } from '../../src/contract/call.ts'
import { scoped, visibleTo } from '../../src/server/access/scope.ts'
import { callerOf } from '../../src/server/access/session.ts'
import type { Sql } from '../../src/server/core/db.ts'
import { readSettings } from '../../src/server/core/settings.ts'
import { describeServer } from './context.ts'
import { createCase } from './newCase.ts'

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
    sees: ['admin', 'hub', 'hubmanager', 'stranger'],
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

const context = describeServer()
const made: { id: number; issue: number; client: number }[] = []

beforeAll(async () => {
  const admin = await context.as('admin')
  for (const { advocate, hub, contract } of ROWS) {
    const row = await createCase(admin)
    await sql`update cases set contract = ${contract} where id = ${row.id}`.execute(context.db)
    await sql`update issues set hub = ${hub}, advocate = (select id from staff where username = ${advocate}) where id = ${row.issue}`.execute(
      context.db,
    )
    made.push(row)
  }
})

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
      const { status } = await (await context.as(username))(name, { params: { id: made[i][key] } })
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
    for (const username of EVERYBODY.filter((who) => !sees.includes(who))) {
      const { status } = await (await context.as(username))(name, { params: { id: made[i][key] }, body })
      expect([username, status]).toEqual([username, 404])
    }
  })

  it('stands in the lists of those and of nobody else, and counts agree', async () => {
    for (const username of EVERYBODY) {
      const person = await context.as(username)
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
    const [advocate, partner] = [await context.as('advocate'), await context.as('partner')]
    await sql`update clients set first_name = 'Zoë', last_name = 'O''Brien-Smith' where id = ${made[0].client}`.execute(
      context.db,
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
        from staff where username = 'admin'`.execute(context.db)
    // Mostly made by the administrator, so that it is the issue that decides; somebody is nobody one time in three.
    await context.db.connection().execute(async (db) => {
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
        from somebody, c, (select min(id) t from case_types) types, generate_series(1, 2)
        where random() < 0.8 returning id
      )
      insert into issues ("case", service, contract, hub, case_type_version, issue_type, start_date, advocate, created_by)
      select id, ceil(random() * 5)::int, ceil(random() * 4)::int, nullif(floor(random() * 4)::int, 0), 1, 1, '2026-01-01',
        case when random() < 0.67 then ids[ceil(random() * cardinality(ids))::int] end,
        case when random() < 0.1 then ids[ceil(random() * cardinality(ids))::int] else admin end
      from somebody, k, generate_series(1, 2) where random() < 0.7`.execute(db)
      await sql`with somebody as materialized (
        select array_agg(id order by id) ids, max(id) filter (where username = 'admin') admin from staff
      )
      insert into actions ("case", issue, type, done_on, time_taken, created_by)
      select k.id, case when random() < 0.7 then i.id end, 1, '2026-02-01', 60,
        case when random() < 0.1 then ids[ceil(random() * cardinality(ids))::int] else admin end
      from somebody, cases k left join issues i on i."case" = k.id where random() < 0.8`.execute(db)
      await sql`update cases set touched_at = '2024-05-01'::date + (id % 90), updated_at = '2024-01-01',
        invalid_fields = case when random() < 0.3 then '{is_urgent}' else '{}' end::text[],
        status = case when random() < 0.1 then 2 else 1 end where random() < 0.6`.execute(db)
      await sql`update issues set invalid_fields = case when random() < 0.5 then '{wish}' else '{}' end::text[],
        status = case when random() < 0.1 then 2 else 1 end where random() < 0.6`.execute(db)
    })
  })

  const EVERY_KIND = [...EVERYBODY, ...MIXED.map(({ username }) => username)]
  const callerNamed = async (username: string) => {
    const person = await context.as(username)
    return { person, me: (await callerOf({ ...context, settings: readSettings({}) }, person.key))!.caller }
  }
  const idsOf = async (query: Sql) => {
    const { rows } = await sql<{ id: number }>`${query} order by 1 desc`.execute(context.db)
    return rows.map(({ id }) => id)
  }
  const listed = (data: Record<string, { id: number }>) => Object.values(data).map(({ id }) => id)
  const newestFirst = (ids: number[]) => [...ids].sort((a, b) => b - a)

  it.each(EVERY_KIND)('a list and a single record show %s the same', async (username) => {
    const { person, me } = await callerNamed(username)
    for (const name of ENTITIES) {
      const entity = context.contract.entities[name]
      const where = (which: Sql) => sql`select r.id from ${sql.table(entity.table!)} r where ${which}`
      const one = await idsOf(where(scoped(entity, me)))
      const { body } = await person(`${name}s.list`, { query: { page_size: 500 } })
      expect(newestFirst(listed(body.data))).toEqual(one)
      expect(body.pagination.count).toBe(one.length)
      const second = (await person(`${name}s.list`, { query: { page_size: 7, p: 2 } })).body
      expect(newestFirst(listed(second.data))).toEqual(one.slice(7, 14))
      expect(second.pagination.count).toBe(one.length)
      const oldest = await person(`${name}s.list`, { query: { page_size: 7, order_by: 'id' } })
      if (name === 'case') expect(newestFirst(listed(oldest.body.data))).toEqual(one.slice(-7))
      const beyond = (await person(`${name}s.list`, { query: { p: 999 } })).body
      expect([Object.keys(beyond.data), beyond.pagination.count]).toEqual([[], one.length])
    }
  })

  it.each(EVERY_KIND)('a quick search finds %s what a single record shows', async (username) => {
    const { person, me } = await callerNamed(username)
    const one = await idsOf(sql`select c.id from clients c
      where c.first_name = 'Ann' and c.last_name = 'Random' and ${visibleTo('client', me, 'c')}`)
    const { body } = await person('search.quick', { query: { term: 'ann random' } })
    if (one.length <= 100) expect(body.map(({ id }: { id: number }) => id)).toEqual(one.slice(-10).reverse())
    for (const { id } of (await person('search.quick', { query: { term: 'rand' } })).body)
      expect(one).toContain(id)
  })

  it.each(EVERY_KIND)('orders and filters keep %s what a single record shows', async (username) => {
    const { person, me } = await callerNamed(username)
    const seen = (which: Sql) =>
      idsOf(sql`select r.id from case_rows r where ${visibleTo('case', me, 'r')} and ${which}`)
    const old = sql`r.old_since <= current_date - 365 and r.status = 1`
    const ASKED: [string, Record<string, unknown>, Sql][] = [
      ['cases.list', { order_by: 'id' }, sql`true`],
      ['cases.list', { order_by: 'client_name', sort_order: 'desc' }, sql`true`],
      ['cases.list', { commissioning_contract: 2 }, sql`r.contract = 2`],
      ['reports.oldCases', {}, old],
      ['reports.oldCases', { order_by: 'id' }, old],
      [
        'reports.oldCases',
        { order_by: '-old_since', end: '2024-06-30' },
        sql`${old} and r.old_since <= '2024-06-30'`,
      ],
    ]
    for (const [name, query, which] of ASKED) {
      const expected = await seen(which)
      if (username === 'admin') expect([name, query, expected]).not.toEqual([name, query, []])
      const { status, body } = await person(name, { query: { ...query, page_size: 500 } })
      if (status === 403) continue
      expect([name, query, newestFirst(listed(body.data))]).toEqual([name, query, expected])
      expect(body.pagination.count).toBe(expected.length)
    }
  })

  it.each(EVERY_KIND)('the name of a client finds %s what the whole list has of them', async (username) => {
    const { person } = await callerNamed(username)
    const { contract } = context
    const lists = Object.entries(contract.endpoints).filter(([, e]) => callOf(e).method === 'GET' && !e.by)
    const found: string[] = []
    for (const [name, endpoint] of lists)
      for (const [parameter, { match }] of Object.entries(parametersOf(contract, endpoint))) {
        if (match !== 'client' && match !== 'clientOrId') continue
        const query = { page_size: 500 }
        const whole = await person(name, { query })
        if (whole.status === 403) continue
        expect([name, whole.status, whole.body.code]).toEqual([name, 200, undefined])
        const named = await person(name, { query: { ...query, [parameter]: 'random' } })
        const isNamed = ({ client_name }: { client_name: string }) => client_name.includes('Random')
        const rows = Object.values<{ id: number; client_name: string }>(whole.body.data).filter(isNamed)
        expect([name, newestFirst(listed(named.body.data))]).toEqual([
          name,
          newestFirst(rows.map(({ id }) => id)),
        ])
        expect([name, named.body.pagination.count]).toEqual([name, rows.length])
        if (rows.length > 0) found.push(name)
      }
    if (username === 'admin') expect(found).toContain('validation.issues')
  })

  it.each(EVERY_KIND)(
    'the actions of a client, and their time, are what %s sees of them',
    async (username) => {
      const { person, me } = await callerNamed(username)
      const seen = sql`from actions x join clients c on c.id = x.client
      where c.last_name = 'Random' and ${visibleTo('action', me, 'x')}`
      const expected = await idsOf(sql`select x.id ${seen}`)
      const { status, body } = await person('search.actions', {
        body: { client: 'random' },
        query: { page_size: 500 },
      })
      if (status !== 403) expect(newestFirst(listed(body.data))).toEqual(expected)
      const ofSeen = await idsOf(sql`select x.id ${seen} and ${visibleTo('client', me, 'c')}`)
      const clients = await person('search.clients', { body: { term: 'random' } })
      if (clients.status !== 403) expect(clients.body.total_time).toBe(ofSeen.length * 60)
    },
  )

  it.each(EVERY_KIND)(
    'the list of invalid issues has for %s those that a single record shows',
    async (username) => {
      const { person, me } = await callerNamed(username)
      const expected = await idsOf(sql`select i.id from issues i join cases k on k.id = i."case"
      where i.status = 1 and k.status = 1 and (i.invalid_fields <> '{}' or k.invalid_fields <> '{}')
        and ${visibleTo('issue', me, 'i')}`)
      if (username === 'admin') expect(expected).not.toEqual([])
      const { status, body } = await person('validation.issues', { query: { page_size: 500 } })
      const notifications = (await person('validation.notification')).body
      if (status === 403) return
      expect([listed(body.data), body.pagination.count]).toEqual([expected, expected.length])
      expect(notifications.issues.map(({ issue_id }: { issue_id: number }) => issue_id)).toEqual(expected)
      expect(notifications.invalid_cases).toBe(expected.length)
    },
  )

  describe('whose issues have the services of their cases', () => {
    beforeAll(async () => {
      // A trigger brings the service of a case to its issues when it changes.
      await sql`update cases set service = 9`.execute(context.db)
      await sql`update cases set service = 1 + id % 3`.execute(context.db)
    })

    it.each(EVERY_KIND)('the clients of a service are those whose cases of it %s sees', async (username) => {
      const { person, me } = await callerNamed(username)
      const ofService = (service: number, name: Sql) => sql`select distinct k.client as id from cases k
        join clients c on c.id = k.client
        where k.service = ${service} and ${visibleTo('case', me, 'k')} and ${name}`
      for (const [term, name] of [
        [undefined, sql`true`],
        ['random', sql`c.last_name = 'Random'`],
      ] as const)
        for (const service of [1, 2, 3]) {
          const expected = await idsOf(ofService(service, name))
          if (username === 'admin') expect(expected).not.toEqual([])
          const { body } = await person('clients.list', {
            query: { service, page_size: 500, ...(term && { term }) },
          })
          expect([service, term, newestFirst(listed(body.data))]).toEqual([service, term, expected])
          expect(body.pagination.count).toBe(expected.length)
        }
    })
  })
})

it('an issue follows its case to another client', async () => {
  const [{ id, issue, client }, other] = made
  const clientOf = async () => {
    const { rows } = await sql<{ client: number }>`select client from issues where id = ${issue}`.execute(
      context.db,
    )
    return rows[0].client
  }
  expect(await clientOf()).toBe(client)
  await sql`update cases set client = ${other.client} where id = ${id}`.execute(context.db)
  expect(await clientOf()).toBe(other.client)
  await sql`update issues set client = ${client} where id = ${issue}`.execute(context.db)
  expect(await clientOf()).toBe(other.client)
  await sql`update cases set client = ${client} where id = ${id}`.execute(context.db)
})
