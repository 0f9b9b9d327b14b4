import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
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
