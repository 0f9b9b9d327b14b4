import { sql } from 'kysely'
import { beforeAll, describe, expect, it } from 'vitest'
import { bodyParametersOf } from '../../src/contract/call.ts'
import { type Caller, describeServer } from './context.ts'
import { createCase } from './newCase.ts'

const context = describeServer()
let advocate: Caller
let made: { id: number; client: number; issue: number }

beforeAll(async () => {
  advocate = await context.as('advocate')
  made = await createCase(advocate, 1, {
    client: {
      first_name: 'Zoë',
      last_name: "O'Rourke-Łukasz",
      dob: '1950-02-03',
      nhs_number: '943 476 5919',
      phone: '(01234) 567 890',
      postcode: 'QX1 2ZZ',
    },
  })
  const stranger = await context.as('stranger')
  const other = await createCase(stranger, 1, { client: { first_name: 'Zoe', last_name: 'Elsewhere' } })
  for (const [issue, person] of [
    [made.issue, advocate],
    [other.issue, stranger],
  ] as const) {
    await sql`insert into activities (type, commissioning_contract, done_on, time_taken, created_by)
      values (1, 2, '2026-01-05', 600, ${person.id})`.execute(context.db)
    await sql`insert into actions (issue, client, "case", type, done_on, created_by)
      select id, client, "case", 1, '2026-01-05', ${person.id} from issues where id = ${issue}`.execute(
      context.db,
    )
    await sql`update issues set advocate = ${person.id} where id = ${issue}`.execute(context.db)
  }
})

const SEARCHES = ['clients', 'actions', 'activities', 'staff', 'cases', 'issues'].map(
  (name) => `search.${name}`,
)
const found = async (caller: Caller, call: string, body: object, query = {}) => {
  const reply = await caller(call, { body, query })
  expect([call, reply.status, reply.body.message]).toEqual([call, 200, undefined])
  return reply.body
}
const idsIn = (body: { data: { id: number }[] }) => body.data.map(({ id }) => id)

describe('a client is found', () => {
  it.each([
    [{ term: 'zoe lukasz' }],
    [{ term: 'LUKASZ, Zoë' }],
    [{ term: 'orourke' }],
    [{ nhs_number: '9434765919' }],
    [{ nhs_number: '943-476-5919' }],
    [{ phone: '01234567890' }],
    [{ postcode: 'qx1' }],
    [{ dob_start: '1950-02-03', dob_end: '1950-02-03' }],
    [{ term: 'zoe', services: [1], postcode: null }],
    [{ term: 'zoe', services: 1 }],
  ])('by %j', async (filters) => {
    expect(idsIn(await found(advocate, 'search.clients', filters))).toEqual([made.client])
  })

  it('by its number', async () => {
    expect(idsIn(await found(advocate, 'search.clients', { term: String(made.client) }))).toEqual([
      made.client,
    ])
  })

  it.each([
    [{ term: 'zoe nobody' }],
    [{ term: ' , ' }],
    [{ nhs_number: 'none' }],
    [{ phone: '567' }],
    [{ term: 'zoe', services: [2] }],
    [{ term: '%' }],
    [{ term: 'Elsewhere' }],
  ])('not by %j', async (filters) => {
    expect((await found(advocate, 'search.clients', filters)).data).toEqual([])
  })
})

it('sums the time of the actions that the reader sees, for all that were found', async () => {
  const { body: before } = await advocate('search.clients', { body: { term: 'zoe' } })
  await advocate('actions.create', {
    body: { issue: made.issue, type: 1, done_on: '2026-01-02', time_taken: 5400 },
  })
  const { total_time } = await found(advocate, 'search.clients', { term: 'zoe' }, { page_size: 1 })
  expect(total_time).toBe(before.total_time + 5400)
  const partner = await context.as('partner')
  const { total_time: theirs, data } = await found(partner, 'search.clients', { term: 'zoe' })
  expect([data, theirs]).toEqual([[], 0])
})

describe.each(SEARCHES)('%s', (call) => {
  it('finds nothing without a filter', async () => {
    const [name] = Object.keys(bodyParametersOf(context.contract, context.contract.endpoints[call]))
    for (const body of [{}, { [name]: '' }, { [name]: null }])
      expect((await found(advocate, call, body)).pagination.count).toBe(0)
    expect((await advocate(call)).body.data).toEqual([])
  })

  it('takes each of its filters, alone and all at once, and refuses others by name', async () => {
    const parameters = bodyParametersOf(context.contract, context.contract.endpoints[call])
    const example = { string: 'a', integer: 1, boolean: 'true', date: '2026-01-01' }
    const bodies = Object.entries(parameters).map(([name, { type }]) => ({
      [name]: name === 'answers' ? '1.case.eligible.set' : example[type],
    }))
    for (const body of [...bodies, Object.assign({}, ...bodies)]) await found(advocate, call, body)
    const { status, body } = await advocate(call, { body: { dbo: 1 } })
    expect([status, Object.keys(body)]).toEqual([400, ['dbo']])
    const [name] = Object.entries(parameters).find(([, { type }]) => type === 'integer' || type === 'date')!
    expect((await advocate(call, { body: { [name]: 'never' } })).status).toBe(400)
  })

  it('refuses objects and nested lists in place of a value', async () => {
    const [name] = Object.keys(bodyParametersOf(context.contract, context.contract.endpoints[call]))
    for (const value of [{ toString: 1, valueOf: 1 }, [{ toString: 1 }], [[{ toString: 1 }]], [['x']]]) {
      const { status, body } = await advocate(call, { body: { [name]: value } })
      expect([value, status, Object.keys(body)]).toEqual([value, 400, [name]])
    }
  })

  it('is audited with what was looked for', async () => {
    const parameters = Object.keys(bodyParametersOf(context.contract, context.contract.endpoints[call]))
    const filter = parameters.find((name) => ['term', 'client', 'start'].includes(name))!
    await found(advocate, call, { [filter]: filter === 'start' ? '2025-03-04' : 'Remembered' })
    const { rows } = await sql<{ changes: object }>`select changes from audit where action = 'search'
      and staff = ${advocate.id} order by id desc limit 1`.execute(context.db)
    expect(rows[0].changes).toEqual({
      [filter]: { from: null, to: filter === 'start' ? '2025-03-04' : 'Remembered' },
    })
  })
})

describe.each([
  ['search.clients', 'clients.read', { term: 'zo' }],
  ['search.cases', 'cases.read', { client: 'zo' }],
  ['search.issues', 'issues.read', { client: 'zo' }],
  ['search.actions', 'actions.read', { start: '2026-01-01' }],
  ['search.activities', 'activities.read', { start: '2026-01-01' }],
])('%s', (call, read, filters) => {
  it('finds for each role what that role may open, and nothing else', async () => {
    const all = idsIn(await found(await context.as('admin'), call, filters, { page_size: 100 }))
    expect(all.length).toBeGreaterThan(1)
    const counts = new Set<number>()
    for (const username of [
      'manager',
      'hub',
      'advocate',
      'volunteer',
      'commissioner',
      'hubmanager',
      'stranger',
    ]) {
      const caller = await context.as(username)
      const searched = idsIn(await found(caller, call, filters, { page_size: 100 }))
      const opened: number[] = []
      for (const id of all) if ((await caller(read, { params: { id } })).status === 200) opened.push(id)
      expect([username, searched]).toEqual([username, opened])
      counts.add(opened.length)
    }
    // Not everybody sees the same, so that the comparison can fail.
    expect(counts.size).toBeGreaterThan(1)
  })
})

describe('the directory of staff', () => {
  it('has the same people for every role, at work or on leave, with nothing of their records', async () => {
    await sql`update staff set phone = '01632 960001', email = 'private@example.org' where username = 'partner'`.execute(
      context.db,
    )
    await sql`update staff set status = 3 where username = 'stranger'`.execute(context.db)
    const { rows } = await sql<{ id: number }>`select id from staff where is_employed(status)`.execute(
      context.db,
    )
    const fields = Object.keys(context.contract.entities.colleague.properties)
    for (const { demo } of context.contract.roles.roles) {
      const who = await context.as(demo)
      const { data } = await found(who, 'search.staff', { term: 'example' }, { page_size: 100 })
      expect([demo, idsIn({ data }).sort((a, b) => a - b)]).toEqual([
        demo,
        rows.map(({ id }) => id).sort((a, b) => a - b),
      ])
      for (const row of data) expect(Object.keys(row)).toEqual(fields)
      const partner = data.find(({ name }: { name: string }) => name === 'partner Example')
      expect(partner).toMatchObject({ phone: '01632 960001', on_leave: false })
    }
    await sql`update staff set status = 1 where username = 'stranger'`.execute(context.db)
  })

  it('opens no record that its reader could not open before', async () => {
    const manager = await context.as('manager')
    const { id } = await context.as('partner')
    expect((await advocate('staff.read', { params: { id } })).status).toBe(403)
    expect((await manager('staff.read', { params: { id } })).status).toBe(404)
  })
})

it.each(SEARCHES)('%s takes one service and a list of them alike', async (call) => {
  const { services } = bodyParametersOf(context.contract, context.contract.endpoints[call])
  if (!services) return expect(call).toBe('search.cases')
  const admin = await context.as('admin')
  const of = async (value: unknown) =>
    idsIn(await found(admin, call, { services: value }, { page_size: 100 }))
  const service = call === 'search.activities' ? 6 : 1
  const one = await of([service])
  expect([one, one.length > 0]).toEqual([await of(service), true])
  expect(await of([service, 4])).toEqual(expect.arrayContaining(one))
  expect(await of([service, 4])).toEqual(await of([4, service]))
})

it('finds people on leave by the text that older clients send', async () => {
  await sql`update staff set status = 4 where username = 'volunteer'`.execute(context.db)
  const { id } = await context.as('volunteer')
  const manager = await context.as('manager')
  expect(idsIn(await found(manager, 'search.staff', { on_leave: 'true' }))).toEqual([id])
})

it('drops the ending _str of an order, and goes out as a file', async () => {
  const query = { order_by: 'last_name_str', sort_order: 'desc' }
  expect(idsIn(await found(advocate, 'search.clients', { term: 'zoe' }, query))).toEqual([made.client])
  const reply = await fetch(`${context.address}/api/search/clients/?format=xlsx`, {
    method: 'POST',
    headers: { ...advocate.headers, 'content-type': 'application/json' },
    body: JSON.stringify({ term: 'zoe' }),
  })
  expect(reply.status).toBe(200)
  expect(reply.headers.get('content-disposition')).toMatch(
    /^attachment; filename="clients-by-[-\da-z]+\.xlsx"$/,
  )
})
