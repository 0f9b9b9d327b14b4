import { sql } from 'kysely'
import { beforeAll, expect, it } from 'vitest'
import xlsx from 'xlsx'
import type { Call } from '../../src/server/core/call.ts'
import { requestedIds } from '../../src/server/records/query/query.ts'
import { paginationOf } from '../../src/server/records/verbs/list.ts'
import { type Caller, describeServer } from './context.ts'
import { createCase } from './newCase.ts'

const NAMES = ['Bea', 'Ada', 'Cora']
const context = describeServer()
let advocate: Caller
/** Cases in the order in which they were made, each of its own client. */
const made: { id: number; client: number; issue: number }[] = []
beforeAll(async () => {
  advocate = await context.as('advocate')
  for (const [i, last_name] of NAMES.entries()) {
    const client = { first_name: 'Ann', last_name, postcode: `AB${i + 1} 2CD` }
    made.push(await createCase(advocate, 1, { client }))
  }
})

const clients = async (query: object, who = advocate) => {
  const { body } = await who('clients.list', { query: query as Record<string, unknown> })
  return body.data.map(({ last_name }: { last_name: string }) => last_name)
}

it('the case list is keyed by id and says how it is sorted: newest first unless asked otherwise', async () => {
  const { body } = await advocate('cases.list')
  const ids = made.map(({ id }) => id)
  expect(body.order).toEqual(ids.toReversed())
  expect(body.data[ids[0]]).toMatchObject({ id: ids[0], client: made[0].client })
  const byName = await advocate('cases.list', { query: { order_by: 'client_name' } })
  expect(byName.body.order).toEqual([ids[1], ids[0], ids[2]])
  const few = await advocate('cases.list', { query: { order_by: 'client_name', page_size: 1, p: 2 } })
  expect([few.body.order, Object.keys(few.body.data)]).toEqual([[ids[0]], [String(ids[0])]])
})

it('the case list as a file is sorted as it is on the page', async () => {
  const reply = await fetch(`${context.address}/cases/?format=xlsx&order_by=client_name&columns=id`, {
    headers: { authorization: `Token ${advocate.key}`, accept: '*/*' },
  })
  const { Sheets } = xlsx.read(Buffer.from(await reply.arrayBuffer()))
  const [, ...rows] = xlsx.utils.sheet_to_json<unknown[]>(Sheets.data, { header: 1 })
  expect(rows.map(([id]) => id)).toEqual([made[1].id, made[0].id, made[2].id])
})

it.each([
  ['clients.list', 2000, 'advocate', {}],
  ['cases.list', 2000, 'advocate', {}],
  ['drafts.list', 2000, 'advocate', {}],
  ['caseTypes.list', 1000, 'admin', {}],
  ['admin.list', 5000, 'admin', { type: 'title' }],
  ['axes.list', 5000, 'admin', { type: 'accesslog' }],
] as const)(
  '%s has at most %d rows on a page: more are refused in words',
  async (name, largest, who, params) => {
    const ask = async (page_size: number) => (await context.as(who))(name, { params, query: { page_size } })
    expect((await ask(largest)).body.pagination.page_size).toBe(largest)
    const { status, body } = await ask(largest + 1)
    expect([status, body]).toEqual([400, { page_size: [`must be ${largest} or less`] }])
  },
)

it('the client list is sorted and narrowed, 50 a page, and what somebody looked for is audited', async () => {
  expect(await clients({})).toEqual(NAMES.toReversed())
  expect(await clients({ order_by: 'last_name' })).toEqual(['Ada', 'Bea', 'Cora'])
  expect(await clients({ postcode: 'ab2' })).toEqual(['Ada'])
  expect(await clients({ service: 1 })).toHaveLength(3)
  expect(await clients({ service: 4 })).toEqual([])
  expect(await clients({ status: 2 })).toEqual([])
  expect(await clients({}, await context.as('stranger'))).toEqual([])
  expect((await advocate('clients.list')).body.pagination.page_size).toBe(50)
  const { rows } = await sql<{ changes: object }>`select changes from audit
    where action = 'search' and entity = 'client' order by id`.execute(context.db)
  expect(rows).toEqual([{ changes: { postcode: { from: null, to: 'ab2' } } }])
})

it('clients are narrowed by the services of the cases that the person may see, in the list and in the search', async () => {
  const admin = await context.as('admin')
  const [{ id, client }] = made
  const { rows } = await sql<{
    id: number
  }>`insert into cases (client, service, case_type, case_type_version, contract, created_by)
    select client, 4, case_type, case_type_version, contract, ${admin.id} from cases where id = ${id} returning id`.execute(
    context.db,
  )
  const found = async (who: Caller, services: number) =>
    (await who('search.clients', { body: { services } })).body.data.map((row: { id: number }) => row.id)
  expect([await clients({ service: 4 }, admin), await found(admin, 4)]).toEqual([['Bea'], [client]])
  expect([await clients({ service: 4 }), await found(advocate, 4)]).toEqual([[], []])
  expect(await found(advocate, 1)).toContain(client)
  await sql`delete from cases where id = ${rows[0].id}`.execute(context.db)
})

it.each([
  [0, 0, false, 1],
  [10, 10, false, 1],
  [11, 11, false, 2],
  [10_000, 10_000, false, 1000],
  [10_001, 10_000, true, 1000],
])('a list of %i rows has a count of %i, more: %s, on %i pages', (found, count, more, num_pages) => {
  expect(paginationOf({} as Call, found, 1, 10)).toEqual({ p: 1, page_size: 10, count, more, num_pages })
})

it('a file has at most 10,000 rows, or 500 of those that were chosen', () => {
  const exporting = true
  expect(paginationOf({ exporting } as Call, 10_000, 1, 10_000)).toMatchObject({ count: 10_000 })
  expect(() => paginationOf({ exporting } as Call, 10_001, 1, 10_000)).toThrow()
  const ids = Array.from({ length: 501 }, (_, i) => i + 1)
  expect(requestedIds({ exporting, query: { ids: ids.slice(1).join(',') } })).toHaveLength(500)
  expect(() => requestedIds({ exporting, query: { ids: ids.join(',') } })).toThrow()
})
