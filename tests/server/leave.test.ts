import { sql } from 'kysely'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type Caller, describeServer } from './context.ts'
import { createCase } from './newCase.ts'

const context = describeServer()
let admin: Caller
let manager: Caller
let partnerManager: Caller
let advocate: Caller
let volunteer: Caller
beforeAll(async () => {
  admin = await context.as('admin')
  manager = await context.as('manager')
  partnerManager = await context.as('partnermanager')
  advocate = await context.as('advocate')
  volunteer = await context.as('volunteer')
})
beforeEach(async () => {
  await sql`update staff set status = 1, leave_from = null, leave_to = null, covered_by = null`.execute(
    context.db,
  )
  // Otherwise the day's switch by hand would count.
  await sql`update staff set switched_at = null`.execute(context.db)
})

/** A day of the database, which has the service's time zone. */
async function day(offset: number): Promise<string> {
  const { rows } = await sql<{ day: string }>`select (current_date + ${offset}::int)::text as day`.execute(
    context.db,
  )
  return rows[0].day
}
const long = (iso: string) =>
  new Date(`${iso}T00:00:00Z`).toLocaleDateString('en-GB', {
    day: 'numeric',
    month: 'long',
    year: 'numeric',
    timeZone: 'UTC',
  })
const plan = (body: object, who = advocate) => who('auth.planLeave', { body })
const statusOf = async ({ id }: Caller) =>
  (await sql<{ status: number }>`select status from staff where id = ${id}`.execute(context.db)).rows[0]
    .status
const leaveInPicker = async () => {
  const { data } = (await manager('staff.caseworkers', { query: { page_size: 500 } })).body
  return data.find(({ id }: { id: number }) => id === advocate.id).leave
}

describe('leave', () => {
  it('is planned ahead by oneself, with who covers, and seen where work is assigned', async () => {
    const [from, to] = [await day(3), await day(9)]
    const { status, body } = await plan({ leave_from: from, leave_to: to, covered_by: volunteer.id })
    expect([status, body.leave_from, body.leave_to, body.covered_by]).toEqual([200, from, to, volunteer.id])
    const words = `on leave from ${long(from)} to ${long(to)}, volunteer Example covers`
    expect([body.words, await leaveInPicker()]).toEqual([words, words])
    expect(await statusOf(advocate)).toBe(1)
    expect((await advocate('auth.leave')).body).toEqual(body)
    const [entry] = (await manager('staff.history', { params: { id: advocate.id } })).body.data
    expect(entry.changes.map(({ label }: { label: string }) => label)).toContain('Who covers')
  })

  it.each([
    ['the first day is today', 0, 5, 4],
    ['the last day is today', -5, 0, 4],
    ['it is today only', 0, 0, 4],
    ['it begins tomorrow', 1, 5, 1],
    ['it ended yesterday', -5, -1, 1],
    ['it has no end', 0, null, 4],
  ])('takes effect by the calendar: %s', async (_, first, last, status) => {
    const body = { leave_from: await day(first), leave_to: last === null ? null : await day(last) }
    expect((await plan(body)).status).toBe(200)
    expect(await statusOf(advocate)).toBe(status)
  })

  it('says until when, and nothing of an end that is not known', async () => {
    const to = await day(2)
    await plan({ leave_from: await day(-1), leave_to: to, covered_by: volunteer.id })
    expect(await leaveInPicker()).toBe(`on leave until ${long(to)}, volunteer Example covers`)
    await plan({ leave_to: null })
    expect(await leaveInPicker()).toBe('on leave, volunteer Example covers')
    await plan({ covered_by: null })
    expect(await leaveInPicker()).toBe('on leave')
  })

  it('ends at once if it is moved or cancelled while it lasts', async () => {
    await plan({ leave_from: await day(-1), leave_to: await day(4) })
    expect(await statusOf(advocate)).toBe(4)
    await plan({ leave_from: await day(1) })
    expect(await statusOf(advocate)).toBe(1)
    await plan({ leave_from: await day(-1) })
    await plan({ leave_from: null })
    expect([await statusOf(advocate), await leaveInPicker()]).toEqual([1, null])
  })

  it.each([
    ['first', 0, 4],
    ['last', -4, 0],
  ])('ends at once if it is cancelled on its %s day', async (_, first, last) => {
    await plan({ leave_from: await day(first), leave_to: await day(last) })
    expect(await statusOf(advocate)).toBe(4)
    await plan({ leave_from: null, leave_to: null })
    expect(await statusOf(advocate)).toBe(1)
  })

  it.each([
    [
      'an end before its beginning',
      async () => ({ leave_from: await day(5), leave_to: await day(4) }),
      'leave_to',
    ],
    [
      'the person as their own cover',
      async () => ({ leave_from: await day(5), covered_by: advocate.id }),
      'covered_by',
    ],
    ['a status', async () => ({ status: 1 }), 'status'],
    ['other fields', async () => ({ groups: [1] }), 'groups'],
  ])('is refused with %s', async (_, body, field) => {
    const reply = await plan(await body())
    expect([reply.status, Object.keys(reply.body)]).toEqual([400, [field]])
  })

  it('is refused with a cover who was retired', async () => {
    await sql`update staff set status = 2 where id = ${volunteer.id}`.execute(context.db)
    const { status, body } = await plan({ leave_from: await day(5), covered_by: volunteer.id })
    expect([status, Object.keys(body)]).toEqual([400, ['covered_by']])
  })

  it('is planned by the manager and administrators too, and by nobody else', async () => {
    const body = { leave_from: await day(3) }
    const by = async (who: Caller) =>
      (await who('staff.planLeave', { params: { id: advocate.id }, body })).status
    expect([await by(manager), await by(admin), await by(partnerManager), await by(volunteer)]).toEqual([
      200, 200, 404, 403,
    ])
  })

  it('is named in the confirmation of an assignment', async () => {
    const to = await day(2)
    await plan({ leave_from: await day(0), leave_to: to, covered_by: volunteer.id })
    const { issue } = await createCase(volunteer)
    await sql`update issues set advocate = null where id = ${issue}`.execute(context.db)
    const { body } = await manager('issues.assign', {
      params: { id: issue },
      body: { advocate: advocate.id },
    })
    expect(body.advocate_described).toBe(
      `advocate Example (on leave until ${long(to)}, volunteer Example covers)`,
    )
    const [candidate] = (
      await manager('issues.candidates', { query: { issues: String(issue), term: 'advocate' } })
    ).body.data.filter(({ id }: { id: number }) => id === advocate.id)
    expect(candidate.described).toBe(body.advocate_described)
  })

  it('is still switched by the literal call', async () => {
    const switched = await advocate('auth.switchStatus', { body: { status: 4 } })
    expect([switched.status, switched.body.status, await leaveInPicker()]).toEqual([200, 4, 'on leave'])
    await advocate('auth.switchStatus', { body: { status: 1 } })
    expect(await leaveInPicker()).toBeNull()
  })
})
