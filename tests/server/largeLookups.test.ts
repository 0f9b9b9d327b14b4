import { sql } from 'kysely'
import { beforeAll, describe, expect, it } from 'vitest'
import type { Group } from '../../src/contract/generated.ts'
import type { Values } from '../../src/contract/when.ts'
import { type Caller, describeServer } from './context.ts'
import { createCase } from './newCase.ts'

const GROUP: Group = {
  name: 'large',
  label: 'Large',
  fields: [
    { name: 'org', label: 'Organisation', type: 'select', attrs: { lookup: 'sp_org' } },
    { name: 'orgs', label: 'Organisations', type: 'multiselect', attrs: { lookup: 'sp_org' } },
    {
      name: 'team',
      label: 'Team',
      type: 'select',
      attrs: { lookup: 'referral_team', lookup_params: { area: 2 } },
    },
  ],
}
/** Values of the 5,000 items that are added to each list. */
const [FIRST, LAST, RETIRED] = [10_001, 15_000, 14_999]

const context = describeServer()
let advocate: Caller
let made: { id: number; client: number; issue: number }
beforeAll(async () => {
  advocate = await context.as('advocate')
  await sql`update case_types set case_meta = case_meta || ${JSON.stringify([GROUP])}::jsonb where id = 1`.execute(
    context.db,
  )
  for (const kind of ['sp_org', 'referral_team'])
    await sql`insert into lookup (kind, value, label, position, active, attrs)
      select ${kind}, n, 'Ward & Home ' || n, n, n <> ${RETIRED}, '{"area": 2}'
      from generate_series(${FIRST}::int, ${LAST}::int) n`.execute(context.db)
  await sql`insert into lookup (kind, value, label, position) values ('sp_org', 20000, 'Ward', 20000), ('sp_org', 20001, 'Café Zoë', 20001)`.execute(
    context.db,
  )
  made = await createCase(advocate)
})

async function items(query: string, path = '/sp_org_lookup/') {
  const { status, body, headers } = await advocate.raw(`${path}${query}`)
  return { status, body, values: body.map?.((i: Values) => i.value), total: headers.get('x-total-count') }
}

describe('a lookup of more than 2,000 items', () => {
  it('answers a bare array of the first, and says in a header how many there are', async () => {
    const { body, total } = await items('')
    const { rows } = await sql<{
      n: number
    }>`select count(*)::int as n from lookup where kind = 'sp_org' and active`.execute(context.db)
    expect([Array.isArray(body), body.length, total]).toEqual([true, 2000, String(rows[0].n)])
    expect(rows[0].n).toBeGreaterThan(5000)
  })

  it('is found by a term, whichever words of it are typed, what begins with it first', async () => {
    expect(await items(`?term=home+${LAST}`)).toMatchObject({ values: [LAST], total: '1' })
    expect(await items(`?term=ward+and+home+${LAST}`)).toMatchObject({ values: [LAST] })
    expect(await items('?term=ZOE%20cafe')).toMatchObject({ values: [20001] })
    expect((await items('?term=ward')).total).toBe('5000')
    // A mark is no word, so that it narrows nothing, and is no wildcard beside one.
    expect((await items('?term=%25')).total).toBe((await items('')).total)
    expect(await items('?term=zz%25')).toMatchObject({ values: [], total: '0' })
  })

  it('answers the choices that ids name, retired ones too, and none that there is not', async () => {
    const { body, values } = await items(`?id=${LAST}&id=${RETIRED}&id=999999`)
    expect(values).toEqual([LAST, RETIRED])
    expect(body.map((i: Values) => i.active)).toEqual([undefined, false])
    expect((await items(`?id[]=${LAST}&id[]=${FIRST}`)).values).toEqual([FIRST, LAST])
    expect((await items(`?id=${LAST}&term=nothing`)).values).toEqual([])
    expect((await items(`?id=${LAST}&area=1`, '/referral_team_lookup/')).values).toEqual([])
    expect((await items(`?id=${LAST}&area=2`, '/referral_team_lookup/')).values).toEqual([LAST])
  })

  it('refuses an id that is not a number, and more ids than an address holds', async () => {
    for (const query of ['?id=x', '?id=1&id=-1', '?id=99999999999'])
      expect((await items(query)).status).toBe(400)
    const many = Array.from({ length: 501 }, (_, i) => i).join(',')
    expect((await items(`?id=${many}`)).status).toBe(400)
    expect((await items(`?id=${many.slice(0, many.lastIndexOf(','))}`)).status).toBe(200)
  })

  it('gives an answer its choice, far down the list too, and refuses one that is retired or not there', async () => {
    const save = (answers: Values) => advocate('cases.update', { params: { id: made.id }, body: { answers } })
    const all = Array.from({ length: 500 }, (_, i) => FIRST + 4000 + i)
    const kept = await save({ org: LAST, orgs: all, team: LAST })
    expect([kept.status, kept.body.answers?.org, kept.body.answers?.orgs?.length]).toEqual([200, LAST, 500])
    expect((await save({ org: RETIRED })).body).toEqual({
      'answers.org': ['Organisation must be one of the choices'],
    })
    expect((await save({ team: 999_999 })).status).toBe(400)
    await sql`update lookup set active = false where kind = 'sp_org' and value = ${LAST}`.execute(context.db)
    expect((await save({ orgs: [FIRST + 1] })).status).toBe(200)
    const { body } = await advocate('chronology.ofCase', {
      params: { id: made.id },
      query: { page_size: 100 },
    })
    const words = body.data.flatMap((e: { changes: { to: string }[] }) => e.changes.map((c) => c.to))
    expect(words).toContain(`Ward & Home ${LAST}`)
  })
})

describe('every lookup', () => {
  it('takes id and term, and says how many match', async () => {
    for (const [name, { path }] of Object.entries(context.contract.lookups)) {
      const whole = await items('', path)
      expect([name, Math.min(Number(whole.total), 2000)]).toEqual([name, whole.values.length])
      if (whole.values.length === 0) continue
      const last = whole.body.at(-1)
      const one = await items(`?id=${last.value}`, path)
      expect([name, one.values, one.body[0].label]).toEqual([name, [last.value], last.label])
      const found = await items(`?term=${encodeURIComponent(last.label)}`, path)
      expect([name, found.values.includes(last.value)]).toEqual([name, true])
    }
  })

  it('answers staff who have left by their id, marked', async () => {
    await sql`update staff set status = 2 where username = 'stranger'`.execute(context.db)
    const { id } = await context.as('advocate')
    const { rows } = await sql<{ id: number }>`select id from staff where username = 'stranger'`.execute(
      context.db,
    )
    const { body } = await items(`?id=${rows[0].id}&id=${id}`, '/staff_lookup/')
    expect(body.map((one: Values) => [one.value, one.active])).toEqual([
      [id, true],
      [rows[0].id, false],
    ])
  })

  it('is described with its parameters and its header', async () => {
    const { body } = await (await context.as()).raw('/openapi.json')
    const { parameters, responses } = body.paths['/sp_org_lookup/'].get
    expect(parameters.map((p: Values) => p.name)).toEqual(['id', 'term', 'active'])
    expect(responses[200].headers['X-Total-Count'].schema).toEqual({ type: 'integer' })
  })
})
