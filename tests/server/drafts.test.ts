import { sql } from 'kysely'
import { beforeAll, describe, expect, it } from 'vitest'
import { type Caller, describeServer } from './context.ts'
import { createCase, newCase } from './newCase.ts'

const context = describeServer()
let advocate: Caller
let volunteer: Caller
let made: { id: number; client: number; issue: number }
beforeAll(async () => {
  advocate = await context.as('advocate')
  volunteer = await context.as('volunteer')
  made = await createCase(advocate)
})

const begin = async (kind: string, who = advocate) =>
  (await who('drafts.create', { body: { kind, title: 'Ann' } })).body.id as number
const isThere = async (id: number, who = advocate) =>
  (await who('drafts.read', { params: { id } })).status === 200
const from = (id: number | string) => ({ 'x-draft': String(id) })

describe('the draft that a new record came of', () => {
  const action = () => ({ case: made.id, type: 1, done_on: '2026-03-01' })
  const ways: [string, () => Promise<object>][] = [
    ['cases.create', async () => ({ body: await newCase(advocate) })],
    ['actions.create', async () => ({ body: action() })],
    [
      'cases.addIssue',
      async () => {
        const read = await advocate('issues.read', { params: { id: made.issue } })
        const { issue_type, start_date, answers } = read.body
        return { params: { id: made.id }, body: { issue_type, start_date, answers } }
      },
    ],
  ]

  it.each(ways)('goes with %s', async (name, given) => {
    const id = await begin('activity')
    const reply = await advocate(name, { ...(await given()), headers: from(id) })
    expect([reply.status, await isThere(id)]).toEqual([201, false])
  })

  it('stays where the record is refused', async () => {
    const id = await begin('action')
    const body = { ...action(), done_on: 'soon' }
    expect((await advocate('actions.create', { body, headers: from(id) })).status).toBe(400)
    expect(await isThere(id)).toBe(true)
  })

  it('stays where the record is not stored in the end', async () => {
    const id = await begin('action')
    await sql`create function refuse() returns trigger language plpgsql as $$ begin raise 'no'; end $$`.execute(
      context.db,
    )
    await sql`create constraint trigger no_more after insert on actions deferrable initially deferred
      for each row execute function refuse()`.execute(context.db)
    expect((await advocate('actions.create', { body: action(), headers: from(id) })).status).toBe(500)
    expect(await isThere(id)).toBe(true)
    await sql`drop trigger no_more on actions`.execute(context.db)
  })

  it('goes also with a repeat that counts no more', async () => {
    const headers = { 'idempotency-key': 'twice-sent-1' }
    const body = action()
    const first = await advocate('actions.create', { body, headers })
    const id = await begin('action')
    const again = await advocate('actions.create', { body, headers: { ...headers, ...from(id) } })
    expect([again.status, again.body.id, await isThere(id)]).toEqual([201, first.body.id, false])
  })

  it.each([
    ['without a key', () => ({})],
    ['with a key of its own each time', (n: number) => ({ 'idempotency-key': `tab-number-${n}` })],
  ])('is finished once if it is sent three times at once %s, and again later', async (_, keyOf) => {
    const id = await begin('case')
    const body = await newCase(advocate, 1, { client: { first_name: 'Thrice', last_name: `Sent${id}` } })
    const send = (n: number, sent = body) =>
      advocate('cases.create', { body: sent, headers: { ...from(id), ...keyOf(n) } })
    const replies = [...(await Promise.all([1, 2, 3].map((n) => send(n)))), await send(4)]
    expect(replies.map(({ status }) => status)).toEqual([201, 201, 201, 201])
    expect(new Set(replies.map((reply) => reply.body.client)).size).toBe(1)
    const { rows } = await sql`select id from clients where last_name = ${`Sent${id}`}`.execute(context.db)
    expect(rows.length).toBe(1)
    const other = await send(5, { ...body, client: { first_name: 'Else', last_name: 'Who' } })
    expect([other.status, other.body.code]).toEqual([409, 'usedKey'])
    expect(await isThere(id)).toBe(false)
  })

  it('goes if its id has the most digits that one may have, and stays if a record is only changed', async () => {
    const id = 999_999_999
    await sql`insert into drafts (id, staff, kind) values (${id}, ${advocate.id}, 'action')`.execute(
      context.db,
    )
    const { body } = await advocate('actions.create', { body: action() })
    const params = { id: body.id }
    const changed = await advocate('actions.update', { params, body: { notes: 'Rang' }, headers: from(id) })
    expect([changed.status, await isThere(id)]).toEqual([200, true])
    expect((await advocate('actions.create', { body: action(), headers: from(id) })).status).toBe(201)
    expect(await isThere(id)).toBe(false)
  })

  it('of somebody else stays, and an unknown id does nothing', async () => {
    const id = await begin('action', volunteer)
    for (const draft of [id, 2147483647, 9999999999, 99999999999, 'x', '-1', '1;2', ''])
      expect([
        draft,
        (await advocate('actions.create', { body: action(), headers: from(draft) })).status,
      ]).toEqual([draft, 201])
    expect(await isThere(id, volunteer)).toBe(true)
  })
})
