import { sql } from 'kysely'
import { beforeAll, describe, expect, it } from 'vitest'
import { type Caller, describeServer } from './context.ts'
import { createCase } from './newCase.ts'

const CALL = { type: 1, done_on: '2026-02-10', time_taken: 2700, notes: 'Rang' }
const TOMORROW = new Date(Date.now() + 2 * 86_400_000).toISOString().slice(0, 10)

const context = describeServer()
let admin: Caller
let advocate: Caller
beforeAll(async () => {
  admin = await context.as('admin')
  advocate = await context.as('advocate')
})

/** A case made by the administrator whose only issue is somebody's. */
async function caseOf(username: string) {
  const made = await createCase(admin)
  const { id } = await context.as(username)
  await sql`update issues set advocate = ${id}, hub = 9 where id = ${made.issue}`.execute(context.db)
  return made
}
const add = (who: Caller, issue: number, body: object = {}) =>
  who('actions.addToIssue', { params: { id: issue }, body: { ...CALL, ...body } })

describe('an action', () => {
  it('on an issue is one on its case and client', async () => {
    const made = await caseOf('advocate')
    const { status, body } = await add(advocate, made.issue)
    expect([status, body]).toEqual([
      201,
      expect.objectContaining({
        ...CALL,
        issue: made.issue,
        case: made.id,
        client: made.client,
        type_label: 'Telephone call - client',
        created_by: advocate.id,
        version: 1,
      }),
    ])
    expect((await advocate('actions.read', { params: { id: body.id } })).body).toEqual(body)
  })

  it('on a case has no issue, and POST /action/ takes either, but not neither', async () => {
    const made = await caseOf('advocate')
    const onCase = await advocate('actions.addToCase', { params: { id: made.id }, body: CALL })
    expect(onCase.body).toMatchObject({ case: made.id, issue: null, client: made.client })
    const onIssue = await advocate('actions.create', { body: { ...CALL, issue: made.issue } })
    expect(onIssue.body).toMatchObject({ case: made.id, issue: made.issue })
    const free = await advocate('actions.create', { body: { ...CALL, case: made.id } })
    expect(free.body).toMatchObject({ case: made.id, issue: null })
    const neither = await advocate('actions.create', { body: CALL })
    expect([neither.status, Object.keys(neither.body)]).toEqual([400, ['issue']])
  })

  it('on a case takes no issue of another case', async () => {
    const [made, other] = [await caseOf('advocate'), await caseOf('advocate')]
    const wrong = { ...CALL, issue: other.issue }
    for (const refused of [
      await advocate('actions.addToCase', { params: { id: made.id }, body: wrong }),
      await advocate('actions.create', { body: { ...wrong, case: made.id } }),
    ])
      expect([refused.status, refused.body]).toEqual([400, { issue: ['Issue must be one of this case'] }])
    const fine = await advocate('actions.addToCase', { params: { id: other.id }, body: wrong })
    expect([fine.status, fine.body.issue]).toEqual([201, other.issue])
  })

  it('is seen by those who see its issue and by nobody else', async () => {
    const { issue, client } = await caseOf('advocate')
    const { id } = (await add(advocate, issue)).body
    const seen: string[] = []
    for (const username of ['admin', 'manager', 'advocate', 'volunteer', 'partner', 'hub', 'stranger']) {
      const person = await context.as(username)
      const { status } = await person('actions.read', { params: { id } })
      const list = await person('actions.ofIssue', { params: { id: issue } })
      const change = await person('actions.update', { params: { id }, body: { notes: 'Rang twice' } })
      const sees = status === 200
      expect([username, list.status, change.status]).toEqual([username, status, status])
      expect([username, (await add(person, issue)).status]).toEqual([username, sees ? 201 : 404])
      const ofClient = await person('actions.ofClient', { params: { id: client } })
      expect([username, ofClient.status]).toEqual([username, status])
      if (sees) seen.push(username)
    }
    expect(seen).toEqual(['admin', 'manager', 'advocate'])
    const commissioner = await context.as('commissioner')
    expect((await add(commissioner, issue)).status).toBe(404)
  })

  it('of an issue that a reader of the case may not open stays out of the client’s list, and counts agree', async () => {
    const made = await caseOf('advocate')
    const body = await newIssue(made.issue)
    const second = await admin('cases.addIssue', { params: { id: made.id }, body })
    const { id: advocateId } = await context.as('partner')
    await sql`update issues set hub = 9, advocate = ${advocateId} where id = ${second.body.id}`.execute(
      context.db,
    )
    await add(advocate, made.issue)
    await add(await context.as('partner'), second.body.id)
    await admin('actions.addToCase', { params: { id: made.id }, body: CALL })
    for (const [username, issues] of [
      ['advocate', [made.issue, null]],
      ['partner', [second.body.id, null]],
      ['admin', [made.issue, second.body.id, null]],
    ] as const) {
      const person = await context.as(username)
      const { body } = await person('actions.ofClient', { params: { id: made.client } })
      const found = body.data.map((row: { issue: number | null }) => row.issue)
      expect([username, new Set(found), body.pagination.count]).toEqual([
        username,
        new Set(issues),
        issues.length,
      ])
    }
  })

  it('stays readable when its issue or case is retired', async () => {
    const made = await caseOf('advocate')
    const { id } = (await add(advocate, made.issue)).body
    await advocate('issues.retire', { params: { id: made.issue } })
    await advocate('cases.retire', { params: { id: made.id } })
    expect((await advocate('actions.read', { params: { id } })).status).toBe(200)
  })

  it('keeps its issue, which is set only once', async () => {
    const [made, other] = [await caseOf('advocate'), await caseOf('advocate')]
    const { id } = (await add(advocate, made.issue)).body
    const moved = await advocate('actions.update', { params: { id }, body: { issue: other.issue } })
    expect([moved.status, moved.body]).toEqual([400, { issue: ['Issue cannot be set here'] }])
  })

  it('cannot be put on an issue or case that the writer does not see', async () => {
    const made = await caseOf('advocate')
    const partner = await context.as('partner')
    for (const body of [{ issue: made.issue }, { case: made.id }, { issue: 999_999 }]) {
      const { status, body: errors } = await partner('actions.create', { body: { ...CALL, ...body } })
      expect([status, Object.keys(errors)]).toEqual([400, Object.keys(body)])
    }
  })

  it.each([
    ['a day to come', { done_on: TOMORROW }, 'done_on'],
    ['no day', { done_on: null }, 'done_on'],
    ['a day that is none', { done_on: '2026-02-30' }, 'done_on'],
    ['no type', { type: null }, 'type'],
    ['a type that there is not', { type: 999 }, 'type'],
    ['100 hours', { time_taken: 360_000 }, 'time_taken'],
    ['time below nothing', { time_taken: -60 }, 'time_taken'],
    ['hours and minutes as text', { time_taken: '0:45' }, 'time_taken'],
    ['a next step done in the future', { next_done_on: TOMORROW }, 'next_done_on'],
    ['an unknown outcome', { comm_outcomes: [{ type: 999 }] }, 'comm_outcomes.0.type'],
    ['an unknown field', { mood: 'good' }, 'mood'],
  ])('with %s is refused by name', async (_, body, field) => {
    const { issue } = await caseOf('advocate')
    const { status, body: errors } = await add(advocate, issue, body)
    expect([status, Object.keys(errors)]).toEqual([400, [field]])
  })

  it('takes 0:00 and 99:59', async () => {
    const { issue } = await caseOf('advocate')
    for (const time_taken of [0, 359_940])
      expect((await add(advocate, issue, { time_taken })).body.time_taken).toBe(time_taken)
  })

  it('sets the last contact and the next step of its issue', async () => {
    const { issue } = await caseOf('advocate')
    const contactFacts = async () => {
      const { last_contact, next_step, next_due } = (await advocate('issues.read', { params: { id: issue } }))
        .body
      return [last_contact, next_step, next_due]
    }
    expect(await contactFacts()).toEqual([null, null, null])
    const late = (
      await add(advocate, issue, { done_on: '2026-02-20', next_step: 'Visit', next_due: '2026-03-20' })
    ).body
    expect(await contactFacts()).toEqual(['2026-02-20', 'Visit', '2026-03-20'])
    const soon = (await add(advocate, issue, { next_step: 'Ring', next_due: '2026-03-01' })).body
    expect(await contactFacts()).toEqual(['2026-02-20', 'Ring', '2026-03-01'])
    const change = (id: number, body: object) => advocate('actions.update', { params: { id }, body })
    await change(soon.id, { next_done_on: '2026-02-28' })
    expect(await contactFacts()).toEqual(['2026-02-20', 'Visit', '2026-03-20'])
    await change(late.id, { done_on: '2026-02-01', next_due: null })
    expect(await contactFacts()).toEqual(['2026-02-10', null, null])
  })

  it('shows its issue as overdue in My Cases, and by how long nobody was in touch', async () => {
    const { issue } = await caseOf('hub')
    const hub = await context.as('hub')
    await sql`update issues set hub = 1 where id = ${issue}`.execute(context.db)
    await add(hub, issue, { next_step: 'Ring', next_due: '2026-02-11' })
    const mine = async (query = {}) => (await hub('issues.mine', { query })).body
    expect((await mine()).data).toMatchObject([
      { id: issue, last_contact: '2026-02-10', next_step: 'Ring', next_state: 'Overdue' },
    ])
    expect((await mine({ no_contact_days: 5 })).pagination.count).toBe(1)
    await add(hub, issue, { done_on: new Date(Date.now() - 86_400_000).toISOString().slice(0, 10) })
    expect((await mine({ no_contact_days: 5 })).pagination.count).toBe(0)
  })

  it('is the first contact of a case: opening it is not one, but "no contact" counts from that day', async () => {
    const { id, issue } = await caseOf('hub')
    await sql`update issues set hub = 1 where id = ${issue}`.execute(context.db)
    const hub = await context.as('hub')
    const LISTS = ['cases.list', 'worklist.list', 'issues.mine']
    interface Listed {
      id: number
      case?: number
      last_contact: string | null
    }
    const rowIn = async (call: string, query = {}) => {
      const { body } = await hub(call, { query })
      const rows = Object.values(body.data) as Listed[]
      return rows.find((row) => (row.case ?? row.id) === id)
    }
    const contacts = async () => {
      const rows = await Promise.all(LISTS.map((call) => rowIn(call)))
      const { body } = await hub('cases.read', { params: { id } })
      return [...rows, body].map((row) => row?.last_contact)
    }
    const quiet = async () => {
      const rows = await Promise.all(LISTS.map((call) => rowIn(call, { no_contact_days: 28 })))
      return rows.map((row) => row !== undefined)
    }
    const begin = (days: number) =>
      sql`update issues set start_date = current_date - ${days}::int where id = ${issue}`.execute(context.db)
    await begin(0)
    expect([await contacts(), await quiet()]).toEqual([Array(4).fill(null), Array(3).fill(false)])
    await begin(28)
    expect([await contacts(), await quiet()]).toEqual([Array(4).fill(null), Array(3).fill(true)])
    const today = new Date().toISOString().slice(0, 10)
    await add(hub, issue, { done_on: today })
    expect([await contacts(), await quiet()]).toEqual([Array(4).fill(today), Array(3).fill(false)])
  })

  it('counts once for an idempotency key, however often it is sent at once', async () => {
    const { issue } = await caseOf('advocate')
    const headers = { 'idempotency-key': 'two-clicks-1' }
    const body = { ...CALL, issue }
    const replies = await Promise.all([1, 2, 3, 4].map(() => advocate('actions.create', { body, headers })))
    expect(replies.map((r) => r.status)).toEqual([201, 201, 201, 201])
    expect(new Set(replies.map((r) => r.body.id)).size).toBe(1)
    const { body: list } = await advocate('actions.ofIssue', { params: { id: issue } })
    expect([list.data.length, list.pagination.count]).toEqual([1, 1])
    const other = await advocate('actions.create', { body: { ...body, notes: 'Other' }, headers })
    expect([other.status, other.body.code]).toEqual([409, 'usedKey'])
  })

  it('that was written last is offered for the next one', async () => {
    const volunteer = await context.as('volunteer')
    expect((await volunteer('actions.last')).body).toEqual({})
    expect((await volunteer('actions.mostUsed')).body).toEqual({ types: [] })
    const { issue } = await caseOf('volunteer')
    await add(volunteer, issue)
    const { id } = (await add(volunteer, issue, { type: 6 })).body
    expect((await volunteer('actions.last')).body).toMatchObject({ id, type: 6, issue })
  })

  it('offers the types that the person used most in the last 90 days', async () => {
    const who = await context.as('partner')
    const { id, issue } = await createCase(admin)
    const add = (type: number, days: number, by = who.id) =>
      sql`insert into actions (client, "case", issue, type, done_on, created_by)
        select client, id, ${issue}::int, ${type}::int, current_date - ${days}::int, ${by}::int from cases where id = ${id}`.execute(
        context.db,
      )
    for (const type of [3, 5, 5, 2, 2, 2]) await add(type, 10)
    for (let i = 0; i < 4; i++) await add(1, 91)
    for (let i = 0; i < 4; i++) await add(4, 1, admin.id)
    expect((await who('actions.mostUsed')).body).toEqual({ types: [2, 5, 3] })
  })

  it('is listed newest first, or as asked', async () => {
    const { issue } = await caseOf('advocate')
    for (const done_on of ['2026-02-05', '2026-02-20', '2026-02-10']) await add(advocate, issue, { done_on })
    const days = async (query = {}) => {
      const { body } = await advocate('actions.ofIssue', { params: { id: issue }, query })
      return body.data.map((row: { done_on: string }) => row.done_on.slice(-2))
    }
    expect(await days()).toEqual(['20', '10', '05'])
    expect(await days({ order_by: 'done_on' })).toEqual(['05', '10', '20'])
    expect(await days({ page_size: 2, p: 2 })).toEqual(['05'])
  })
})

describe('an issue with actions keeps its case from becoming old', () => {
  it.each([
    ['an action', (made: Made) => add(advocate, made.issue)],
    [
      'a changed answer',
      (made: Made) =>
        advocate('issues.update', { params: { id: made.issue }, body: { answers: { wishes: 'Home' } } }),
    ],
    [
      'monitoring',
      (made: Made) => advocate('issues.saveMonitoring', { params: { id: made.issue }, body: { notes: 'x' } }),
    ],
  ])('%s touches it', async (_, work) => {
    const made = await caseOf('advocate')
    await sql`update cases set touched_at = '2020-01-01', updated_at = '2020-01-01' where id = ${made.id}`.execute(
      context.db,
    )
    await advocate('cases.read', { params: { id: made.id } })
    const old = async () =>
      (await advocate('cases.list', { query: { page_size: 100 } })).body.data[made.id].old_since
    expect(await old()).toBe('2020-01-01')
    expect((await work(made)).status).toBeLessThan(300)
    expect(await old()).not.toBe('2020-01-01')
  })
})

type Made = Awaited<ReturnType<typeof caseOf>>

/** The body of a further issue like one that is there. */
async function newIssue(id: number) {
  const { issue_type, start_date, answers } = (await admin('issues.read', { params: { id } })).body
  return { issue_type, start_date, answers }
}
