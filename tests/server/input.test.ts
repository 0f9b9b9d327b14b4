import { beforeAll, describe, expect, it } from 'vitest'
import { type Caller, describeServer } from './context.ts'
import { createCase } from './newCase.ts'

const context = describeServer()
let advocate: Caller
let client: number
beforeAll(async () => {
  advocate = await context.as('advocate')
  client = (await createCase(advocate)).client
})

const patch = (body: BodyInit, type = 'application/json') =>
  advocate.raw(`/client/${client}/update/`, { method: 'PATCH', body, headers: { 'content-type': type } })

describe('a hostile body', () => {
  it.each([
    ['NUL', '{"first_name":"a\\u0000b"}', 400],
    ['half a surrogate', '{"first_name":"\\ud800"}', 400],
    ['bad UTF-8', new Uint8Array([0x7b, 0x22, 0x61, 0x22, 0x3a, 0x22, 0xff, 0x22, 0x7d]), 400],
    ['__proto__', '{"__proto__":{"status":2}}', 400],
    ['constructor', '{"constructor":{"prototype":{"status":2}}}', 400],
    ['deep JSON', `{"notes":${'['.repeat(100_000)}${']'.repeat(100_000)}}`, 400],
    ['2 MB', JSON.stringify({ notes: 'x'.repeat(2 * 1024 * 1024) }), 413],
    ['no JSON', '{"first_name":', 400],
    ['a list', '[1]', 400],
    ['a wrong type', '{"first_name":5}', 400],
    ['a wrong date', '{"dob":"2020-13-01"}', 400],
    ['a huge number', '{"title":99999999999999}', 400],
    ['an unknown key', '{"nonsense":1}', 400],
    ['a read-only key', '{"status":2}', 400],
  ])('with %s is refused with a clear 4xx', async (_, body, expected) => {
    const { status, body: reply } = await patch(body as BodyInit)
    expect([status, Object.keys(reply).length > 0]).toEqual([expected, true])
  })

  it('of another type is refused', async () => {
    expect((await patch('a=b', 'application/x-www-form-urlencoded')).status).toBe(415)
  })

  it('with an empty text counts as empty', async () => {
    expect((await patch('')).status).toBe(200)
  })
})

describe('a hostile query or address', () => {
  it.each([
    ['/api/clients/list?p=x', 400],
    ['/api/clients/list?p=0', 400],
    ['/api/clients/list?page_size=-1', 400],
    ['/api/clients/list?p=999999999', 200],
    ['/api/clients/list?term=%00', 400],
    ["/api/clients/list?term=';drop table clients--", 200],
    ['/api/clients/list?term=%25_%5C', 200],
    ['/api/staff/old-cases?start=2026-01-01&start=2026-02-01', 400],
    ['/api/clients/list?p=1&p=2', 400],
    ['/cases/?urgent=constructor', 400],
    ['/cases/?order_by=id;select', 400],
    ['/cases/?order_by=__proto__', 400],
    ['/cases/?service=1&service=2', 200],
    ['/client/0x1/index/', 404],
    ['/client/99999999999/index/', 404],
    ['/client/-1/index/', 404],
    ['/client/%00/index/', 404],
    ['/sfg_subcategory_lookup/?sfg_category=x', 200],
    ['/nowhere/', 404],
  ])('%s', async (path, expected) => {
    expect((await advocate.raw(path)).status).toBe(expected)
  })
})

describe('a parameter that the call does not know', () => {
  it.each([
    ['/cases/?servce=1', 'servce', "is not a parameter of this call; did you mean 'service'?"],
    ['/api/case/gdpr/?page=1', 'page', 'is not a parameter of this call'],
    [
      '/sfg_subcategory_lookup/?sfg_categry=1',
      'sfg_categry',
      "is not a parameter of this call; did you mean 'sfg_category'?",
    ],
  ])('%s is refused by its name', async (path, name, message) => {
    const { status, body } = await advocate.raw(path)
    expect([status, body]).toEqual([400, { [name]: [message] }])
  })

  it('is named with at most nineteen others, none of them at length', async () => {
    const query = Array.from({ length: 60 }, (_, i) => `q${i}${'x'.repeat(150)}=1`).join('&')
    const { status, body } = await advocate.raw(`/cases/?${query}`)
    const names = Object.keys(body)
    expect([status, names.length, Math.max(...names.map((name) => name.length))]).toEqual([400, 20, 100])
  })
})

describe('the same address', () => {
  it('is a page to a browser and a record to a program', async () => {
    const asPage = await advocate.raw(`/case/1/`, {
      headers: { 'sec-fetch-mode': 'navigate', accept: 'text/html' },
    })
    expect([asPage.status, asPage.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8'])
    expect(asPage.headers.get('content-security-policy')).toContain("script-src 'self'")
    const asData = await advocate.raw('/case/1/')
    expect([asData.headers.get('content-type'), asData.headers.get('cache-control')]).toEqual([
      'application/json; charset=utf-8',
      'no-store',
    ])
  })
})
