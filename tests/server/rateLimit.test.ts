import { resolve } from 'node:path'
import { sql } from 'kysely'
import { beforeAll, beforeEach, expect, it } from 'vitest'
import { readSettings } from '../../src/server/core/settings.ts'
import { createApp } from '../../src/server/http/app.ts'
import { type Caller, describeServer } from './context.ts'
import { PDF, upload } from './upload.ts'

const context = describeServer()
let hub: Caller
beforeAll(async () => {
  hub = await context.as('hub')
})
beforeEach(() => sql`delete from call_count`.execute(context.db))

const SEARCH = '/api/quicksearch/clients/?term=ann'

/** Makes as if a person had made so many calls within this minute. */
const haveCalled = (who: Caller, name: string, calls: number) =>
  sql`insert into call_count values (${who.id}, ${name}, date_trunc('minute', now()), ${calls})
    on conflict (staff, name) do update set minute = excluded.minute, calls = excluded.calls`.execute(
    context.db,
  )

const send = async (path: string) => (await upload(hub, path, 'a.pdf', PDF)).status

/** What a run answers that no new minute came into. */
async function withinOneMinute<T>(run: () => Promise<T>): Promise<T> {
  const minute = () => Math.floor(Date.now() / 60_000)
  for (;;) {
    const before = minute()
    const result = await run()
    if (minute() === before) return result
  }
}

it.each([
  ['search.quick', 120, { query: { term: 'ann' } }],
  ['clients.alike', 120, { body: { first_name: 'Ann', last_name: 'Example' } }],
  ['clients.find', 120, { body: { term: 'ann' } }],
])('%s is refused to a person beyond its limit of a minute', async (name, limit, options) => {
  expect(context.contract.endpoints[name].perMinute).toBe(limit)
  const replies = await withinOneMinute(async () => {
    await haveCalled(hub, name, limit - 2)
    return Promise.all(Array.from({ length: 6 }, () => hub(name, options)))
  })
  expect(replies.map(({ status }) => status).sort()).toEqual([200, 200, 429, 429, 429, 429])
  const refused = replies.find(({ status }) => status === 429)!
  const seconds = Number(refused.headers.get('retry-after'))
  expect(seconds).toBeGreaterThan(0)
  expect(seconds).toBeLessThanOrEqual(60)
  expect(refused.body.code).toBe('tooManyRequests')
  expect(refused.body.message).toMatch(
    new RegExp(`^You have done this ${limit} times within a minute\\. Try again in ${seconds} seconds?\\.$`),
  )
})

it('nobody else is refused, nor the same person a minute later', async () => {
  await haveCalled(hub, 'search.quick', 500)
  expect((await (await context.as('advocate')).raw(SEARCH)).status).toBe(200)
  await sql`update call_count set minute = minute - interval '1 minute'`.execute(context.db)
  expect((await hub.raw(SEARCH)).status).toBe(200)
})

it('exports are counted together, whichever list they are of', async () => {
  const manager = await context.as('manager')
  const paths = ['/cases/', '/api/clients/list', '/staff/list/']
  const statuses = await withinOneMinute(async () => {
    await haveCalled(manager, 'export', 9)
    const replies = []
    for (const path of paths) replies.push((await manager.raw(`${path}?format=xlsx`)).status)
    return replies
  })
  expect(statuses).toEqual([200, 429, 429])
  expect((await manager.raw('/cases/')).status).toBe(200)
})

it('files are counted together, by whatever calls they come', async () => {
  const statuses = await withinOneMinute(async () => {
    await haveCalled(hub, 'file', 58)
    const [first, second, third] = [
      await send('/api/files'),
      await send('/api/bulk/upload'),
      await send('/api/files'),
    ]
    return [first, second, third]
  })
  expect(statuses).toEqual([201, 400, 429])
  expect((await hub.raw('/api/files/offered')).status).toBe(200)
})

it('calls are counted over all servers', async () => {
  const other = await createApp({
    ...context.pools,
    databaseUrl: context.databaseUrl,
    contract: context.contract,
    settings: readSettings({ LOG_LEVEL: 'silent' }),
    web: resolve('dist/web'),
  })
  try {
    const address = await other.listen({ host: '127.0.0.1', port: 0 })
    const there = () => fetch(address + SEARCH, { headers: hub.headers })
    const statuses = await withinOneMinute(async () => {
      await haveCalled(hub, 'search.quick', 118)
      return [await hub.raw(SEARCH), await there(), await hub.raw(SEARCH), await there()]
    })
    expect(statuses.map(({ status }) => status)).toEqual([200, 200, 429, 429])
  } finally {
    await other.close()
  }
})

it('the OpenAPI document has the limits', async () => {
  const { paths } = (await hub.raw('/openapi.json')).body
  const operation = (path: string) => paths[path].get
  expect(operation('/api/quicksearch/clients/')).toMatchObject({
    'x-per-minute': { calls: 120 },
    responses: { 429: { headers: { 'Retry-After': {} } } },
  })
  expect(operation('/cases/')['x-per-minute']).toEqual({ exports: 10 })
  expect(operation('/client/{id}/index/').responses[429]).toBeUndefined()
})
