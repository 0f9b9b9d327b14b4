import { createServer, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Caller, startTestServer, type TestContext } from './context.ts'

let context: TestContext
let staff: Caller
const byPostcode = async (postcode?: string) => {
  const { status, body } = await staff('addresses.byPostcode', {
    query: postcode === undefined ? {} : { postcode },
  })
  expect(status).toBe(200)
  return body
}
const byId = async (id?: string) =>
  (await staff('addresses.byId', { query: id === undefined ? {} : { id } })).body

describe('the bundled addresses', () => {
  beforeAll(async () => {
    context = await startTestServer()
    staff = await context.as('advocate')
    await sql`delete from lookup where kind = 'address_from_postcode'`.execute(context.db)
    await sql`insert into lookup (kind, value, label, attrs)
      select 'address_from_postcode', n, n || ' High Street, Town, ZZ99 9ZZ', jsonb_build_object('id', 'many-' || n) from generate_series(1, 120) n
      union all values ('address_from_postcode', 200, '1 Low Street m1 1aa ', '{"id": "one"}'::jsonb),
        ('address_from_postcode', 201, '2 Low Street, EM1 1AA', '{"id": "two"}')`.execute(context.db)
  })
  afterAll(() => context?.end())

  it.each(['M1 1AA', 'm11aa', ' M1  1AA '])('are found by the postcode %j', async (postcode) => {
    expect(await byPostcode(postcode)).toEqual([{ value: 'one', label: '1 Low Street m1 1aa ' }])
  })

  it.each([undefined, ' ', '%', '_', 'Z%', 'ZZ', '9ZZ', 'ZZ99', '(', '....9ZZ', 'ZZ99 9ZX'])(
    'are none for %j',
    async (postcode) => {
      expect(await byPostcode(postcode)).toEqual([])
    },
  )

  it('are a hundred at most', async () => {
    expect(await byPostcode('zz999zz')).toHaveLength(100)
  })

  it('are returned in full by id', async () => {
    expect(await byId('two')).toEqual([{ value: 'two', label: '2 Low Street, EM1 1AA' }])
    for (const id of [undefined, ' ', 'none', '%']) expect(await byId(id)).toEqual([])
  })
})

describe('a service of addresses', () => {
  let service: Server
  let asked: string[] = []
  let answer: (reply: ServerResponse) => void
  const says = (value: unknown) => (reply: ServerResponse) => reply.end(JSON.stringify(value))
  const many = (n: number) =>
    Array.from({ length: n }, (_, i) => ({ id: i + 1, label: `${i + 1} High Street` }))
  beforeAll(async () => {
    service = createServer((request, reply) => {
      asked.push(request.url!)
      answer(reply)
    })
    await new Promise<void>((resolve) => service.listen(0, '127.0.0.1', resolve))
    const { port } = service.address() as AddressInfo
    context = await startTestServer({ ADDRESS_URL: `http://127.0.0.1:${port}/find?key=secret` })
    staff = await context.as('advocate')
  })
  afterAll(async () => {
    await context?.end()
    service?.closeAllConnections()
    await new Promise((resolve) => service?.close(resolve))
  })

  it('that redirects has found none, and nobody else is called', async () => {
    asked = []
    answer = (reply) => {
      if (asked.length > 1) return says([{ id: 1, label: 'Somewhere else' }])(reply)
      reply.writeHead(302, { location: '/elsewhere' }).end()
    }
    expect(await byPostcode('zz99 9zz')).toEqual([])
    expect(asked).toHaveLength(1)
  })

  it('is asked for a postcode, and for nothing else that is typed, and answers with ids', async () => {
    asked = []
    answer = says([{ id: 'a/1', label: '1 High Street', more: true }])
    expect(await byPostcode('zz99 9zz')).toEqual([{ value: 'a/1', label: '1 High Street' }])
    expect(asked).toEqual(['/find?key=secret&postcode=ZZ999ZZ'])
    for (const typed of ['zz99 9z&z', 'Ann Ash', '9434765919', 'ZZ99'])
      expect(await byPostcode(typed)).toEqual([])
    expect(asked).toHaveLength(1)
  })

  it('is queried for one by its id', async () => {
    asked = []
    answer = says([{ value: 'a/1', label: '1 High Street, Town, ZZ99 9ZZ' }])
    expect(await byId('a/1')).toEqual([{ value: 'a/1', label: '1 High Street, Town, ZZ99 9ZZ' }])
    expect(asked).toEqual(['/find?key=secret&id=a%2F1'])
  })

  it('is not asked for nothing', async () => {
    asked = []
    for (const blank of [undefined, '', ' '])
      expect([await byPostcode(blank), await byId(blank)]).toEqual([[], []])
    expect(asked).toEqual([])
  })

  it('that answers many is cut at a hundred', async () => {
    answer = says(many(250))
    expect(await byPostcode('ZZ99 9ZZ')).toHaveLength(100)
  })

  it.each<[string, (reply: ServerResponse) => void]>([
    ['an error', (reply) => reply.writeHead(500).end('[{"id":1,"label":"x"}]')],
    ['no JSON', (reply) => reply.end('<html>')],
    ['no list', says({ id: 1, label: 'x' })],
    ['nothing', says(null)],
    ['a list of something else', says([{ id: 1, label: 'x' }, 'y'])],
    ['a list with blanks', says([{ id: 1, label: ' ' }])],
    ['a list without ids', says([{ label: 'x' }])],
    ['far too much', says(many(60_000))],
    [
      'half a reply',
      (reply) => reply.writeHead(200, { 'content-length': '100' }).write('[') && reply.destroy(),
    ],
  ])('that answers %s has found none', async (_, one) => {
    answer = one
    expect(await byPostcode('ZZ99 9ZZ')).toEqual([])
    expect(await byId('1')).toEqual([])
  })

  it('that does not answer within two seconds has found none', async () => {
    answer = () => {}
    const began = Date.now()
    expect(await byPostcode('ZZ99 9ZZ')).toEqual([])
    expect(Date.now() - began).toBeGreaterThan(1900)
    expect(Date.now() - began).toBeLessThan(4000)
  })

  it('that begins and does not end has found none either', async () => {
    answer = (reply) => reply.write('[')
    const began = Date.now()
    expect(await byPostcode('ZZ99 9ZZ')).toEqual([])
    expect(Date.now() - began).toBeLessThan(4000)
  })
})
