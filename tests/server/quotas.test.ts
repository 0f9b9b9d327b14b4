import { sql } from 'kysely'
import { beforeAll, describe, expect, it } from 'vitest'
import {
  MAX_DRAFT_BYTES,
  MAX_DRAFTS,
  MAX_MEGABYTES_A_DAY,
  MAX_STREAMS,
  MAX_UNATTACHED_FILES,
} from '../../src/server/access/quotas.ts'
import { type Caller, describeServer } from './context.ts'
import { upload } from './upload.ts'

const context = describeServer()
let advocate: Caller
let other: Caller
beforeAll(async () => {
  advocate = await context.as('advocate')
  other = await context.as('partner')
})

describe('drafts of one person', () => {
  const create = (who: Caller, payload: object = {}) =>
    who('drafts.create', { body: { kind: 'case', title: 'New case', address: '/case', payload } })

  it('are refused beyond their number, with what to delete, also when sent at once', async () => {
    await sql`insert into drafts (staff, kind) select ${advocate.id}, 'case' from generate_series(1, ${MAX_DRAFTS - 2})`.execute(
      context.db,
    )
    const replies = await Promise.all([1, 2, 3, 4, 5].map(() => create(advocate)))
    expect(replies.map(({ status }) => status).sort()).toEqual([201, 201, 429, 429, 429])
    const { body } = replies.find(({ status }) => status === 429)!
    expect([body.code, body.message]).toEqual([
      'quota',
      expect.stringContaining('Delete old ones in Draft Cases'),
    ])
    expect((await create(other)).status).toBe(201)
    const { rows } = await sql<{
      id: number
    }>`select id from drafts where staff = ${advocate.id} limit 1`.execute(context.db)
    const params = { id: rows[0].id }
    const saved = await advocate('drafts.update', { params, body: { payload: { still: 'saved' } } })
    expect(saved.status).toBe(200)
    expect((await advocate('drafts.remove', { params })).status).toBe(204)
    expect((await create(advocate)).status).toBe(201)
  })

  it('are refused beyond their size, new and changed ones', async () => {
    const { id } = (await create(other)).body
    await sql`update drafts set payload = jsonb_build_object('text', repeat('x', ${MAX_DRAFT_BYTES - 1000}))
      where id = (select min(id) from drafts where staff = ${other.id})`.execute(context.db)
    const payload = { text: 'x'.repeat(2000) }
    expect((await create(other, payload)).status).toBe(429)
    const { status, body } = await other('drafts.update', { params: { id }, body: { payload } })
    expect([status, body.message]).toEqual([429, expect.stringContaining('Delete large ones')])
  })
})

describe('files of one person', () => {
  const send = (who: Caller) => upload(who, '/api/files', 'note.txt', 'words')

  it('that belong to no record are refused beyond their number', async () => {
    await sql`insert into files (name, type, size, content, created_by)
      select 'a.txt', 'text/plain', 1, 'a', ${advocate.id} from generate_series(1, ${MAX_UNATTACHED_FILES - 1})`.execute(
      context.db,
    )
    expect((await send(advocate)).status).toBe(201)
    const { status, body } = await send(advocate)
    expect([status, body.message]).toEqual([429, expect.stringContaining('belong to no record')])
  })

  it('are refused beyond their sum a day', async () => {
    expect((await send(other)).status).toBe(201)
    // The last kilobyte of the day.
    await sql`update caller_count set calls = ${MAX_MEGABYTES_A_DAY * 1024 - 1} where name = 'file kilobytes'`.execute(
      context.db,
    )
    expect((await send(other)).status).toBe(201)
    const { status, body } = await send(other)
    expect([status, body.message]).toEqual([429, expect.stringContaining('500 MB')])
  })
})

it('opens no more event streams for one person than pages, and one again after one is closed', async () => {
  const stop = new AbortController()
  const open = (signal = stop.signal) =>
    fetch(`${context.address}/api/news/stream`, { headers: advocate.headers, signal })
  const last = new AbortController()
  const streams = await Promise.all([
    ...Array.from({ length: MAX_STREAMS - 1 }, () => open()),
    open(last.signal),
  ])
  expect(streams.map(({ status }) => status)).toEqual(Array(MAX_STREAMS).fill(200))
  const refused = await open()
  expect([refused.status, (await refused.json()).message]).toEqual([
    429,
    expect.stringContaining('Close some'),
  ])
  last.abort()
  await expect.poll(async () => (await open()).status, { timeout: 30_000 }).toBe(200)
  stop.abort()
})
