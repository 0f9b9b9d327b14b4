import { sql } from 'kysely'
import { beforeAll, describe, expect, it } from 'vitest'
import { callOf, parametersOf } from '../../src/contract/call.ts'
import { type Caller, describeServer } from './context.ts'
import { createCase } from './newCase.ts'

const context = describeServer()
let admin: Caller
let manager: Caller
let advocate: Caller
const issues = { open: 0, urgent: 0, closed: 0, retired: 0 }
beforeAll(async () => {
  admin = await context.as('admin')
  manager = await context.as('manager')
  advocate = await context.as('advocate')
  for (const name of Object.keys(issues) as (keyof typeof issues)[]) {
    const { id, issue } = await createCase(advocate)
    issues[name] = issue
    await sql`update issues set advocate = ${advocate.id}, is_opened = ${name !== 'closed'},
      close_date = case when ${name === 'closed'} then current_date end,
      status = ${name === 'retired' ? 2 : 1} where id = ${issue}`.execute(context.db)
    if (name === 'urgent')
      await sql`update cases set answers = answers || '{"is_urgent": "yes"}' where id = ${id}`.execute(
        context.db,
      )
  }
})

describe('the issues of a person', () => {
  const own = (query: object) => advocate('issues.mine', { query: { page_size: 100, ...query } })
  const theirs = (query: object) =>
    manager('issues.ofStaff', { params: { id: advocate.id }, query: { page_size: 100, ...query } })
  const ids = ({ body }: Awaited<ReturnType<typeof own>>) => body.data.map(({ id }: { id: number }) => id)

  it.each([
    [{}, ['open', 'urgent', 'closed', 'retired']],
    [{ state: 'all' }, ['open', 'urgent', 'closed', 'retired']],
    [{ state: 'open' }, ['open', 'urgent']],
    [{ state: 'closed' }, ['closed']],
    [{ state: 'open', urgent: true }, ['urgent']],
    [{ state: 'open', urgent: false }, ['open']],
  ] as [object, (keyof typeof issues)[]][])(
    'with %j are the same for them and for their manager',
    async (query, names) => {
      const found = ids(await own(query))
      expect([...found].sort()).toEqual(names.map((name) => issues[name]).sort())
      expect(ids(await theirs(query))).toEqual(found)
    },
  )

  it('are as many as the list of people counts open ones', async () => {
    const { body } = await manager('reports.advocates', { query: { page_size: 100 } })
    const row = body.data.find(({ id }: { id: number }) => id === advocate.id)
    expect((await theirs({ state: 'open' })).body.pagination.count).toBe(row.open_issues)
    expect((await theirs({ state: 'open', urgent: true })).body.pagination.count).toBe(row.urgent_issues)
  })

  it('are refused in a state that there is not', async () => {
    for (const reply of [await own({ state: 'constructor' }), await theirs({ state: 'opened' })])
      expect([reply.status, Object.keys(reply.body)]).toEqual([400, ['state']])
  })
})

it('filters by false as by true: together they are all rows', async () => {
  const { contract } = context
  const flags = Object.entries(contract.endpoints).flatMap(([name, endpoint]) => {
    const { path, method } = callOf(endpoint)
    if (method !== 'GET' || path.includes('{') || !endpoint.query?.includes('paged')) return []
    const parameters = Object.entries(parametersOf(contract, endpoint))
    return parameters
      .filter(([, { type, match }]) => type === 'boolean' && match)
      .map(([flag]) => [name, flag])
  })
  expect(flags.length).toBeGreaterThan(4)
  for (const [name, flag] of flags) {
    const { demo } = contract.roles.roles.find((role) => {
      const { roles } = contract.endpoints[name]
      const names = [roles].flat().flatMap((one) => contract.roles.groups[one] ?? [one])
      return names.includes(role.name)
    })!
    const who = await context.as(demo)
    const count = async (query: Record<string, boolean>) => {
      const { status, body } = await who(name, { query })
      expect([name, flag, status]).toEqual([name, flag, 200])
      return body.pagination.count
    }
    const sum = (await count({ [flag]: true })) + (await count({ [flag]: false }))
    expect([name, flag, sum]).toEqual([name, flag, await count({})])
  }
  const { body } = await admin('cases.list', { query: { urgent: false, page_size: 100 } })
  expect(Object.keys(body.data).length).toBe(3)
})

it('has no row with the text that only searches read', () => {
  const internal = Object.values(context.contract.entities).filter(({ properties }) => 'search' in properties)
  expect(internal.map(({ $id }) => $id)).toEqual([])
})
