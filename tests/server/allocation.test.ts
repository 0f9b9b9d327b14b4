import { sql } from 'kysely'
import { beforeAll, describe, expect, it } from 'vitest'
import { kilometresBetween } from '../../src/server/features/issues/postcodeAreas.ts'
import { type Caller, describeServer } from './context.ts'
import { createCase } from './newCase.ts'

const context = describeServer()
let manager: Caller
let hub: Caller
let advocate: Caller
let partner: Caller
let made: { id: number; client: number; issue: number }
beforeAll(async () => {
  manager = await context.as('manager')
  hub = await context.as('hub')
  advocate = await context.as('advocate')
  partner = await context.as('partner')
  made = await createCase(hub)
  await sql`update issues set advocate = null where id = ${made.issue}`.execute(context.db)
})

interface Candidate {
  id: number
  name: string
  leave: string | null
  open_issues: number
  known: number
  distance: number | null
  reason: string | null
}
const candidates = async (who: Caller, issues: unknown, term?: string): Promise<Candidate[]> =>
  (await who('issues.candidates', { query: { issues, ...(term !== undefined && { term }) } })).body.data
const required = async (who = manager) =>
  (await who('reports.allocations', { query: { page_size: 500 } })).body.data as Record<string, unknown>[]
const work = async (id: number, columns: object) => {
  for (const [name, value] of Object.entries(columns))
    await sql`update issues set ${sql.ref(name)} = ${value} where id = ${id}`.execute(context.db)
}

it('issues that require an allocation are in order of urgency, then the oldest first', async () => {
  const makes = await Promise.all([createCase(hub), createCase(hub), createCase(hub)])
  const days = ['2026-01-03', '2026-01-01', '2026-01-02']
  for (const [i, { issue }] of makes.entries()) await work(issue, { start_date: days[i] })
  await sql`update cases set answers = answers || '{"is_urgent": "yes"}' where id = ${makes[0].id}`.execute(
    context.db,
  )
  const ids = (await required()).map(({ id }) => id)
  const [urgent, oldest, other] = makes.map(({ issue }) => ids.indexOf(issue))
  expect([urgent < oldest, oldest < other]).toEqual([true, true])
})

describe('who could take an issue', () => {
  it('works on its service and contract, and no issue names nobody', async () => {
    const found = await candidates(manager, made.issue)
    const { rows } = await sql<{
      id: number
    }>`select w.id from caseworkers w join issues i on i.id = ${made.issue}
      and i.service = any(w.services) and i.contract = any(w.contracts)`.execute(context.db)
    expect(found.map(({ id }) => id).sort()).toEqual(rows.map(({ id }) => id).sort())
    expect(found.length).toBeGreaterThan(1)
    expect(await candidates(manager, '')).toEqual([])
    const { status, body } = await manager('issues.candidates', { query: { issues: '1,x' } })
    expect([status, Object.keys(body)]).toEqual([400, ['issues']])
  })

  it('is found by parts of the name', async () => {
    const [{ name, id }] = await candidates(manager, made.issue)
    const [first, last] = name.split(' ')
    const found = await candidates(manager, made.issue, `${last.slice(0, 3)} ${first.slice(0, 3)}`)
    expect(found.map((one) => one.id)).toContain(id)
    expect(await candidates(manager, made.issue, 'nobody of that name')).toEqual([])
  })

  it('comes first, and with the reason, where they have worked with the client', async () => {
    const leader = await context.as('partnermanager')
    const before = await candidates(leader, made.issue)
    const other = await createCase(hub)
    await sql`update cases set client = ${made.client} where id = ${other.id}`.execute(context.db)
    await work(other.issue, { advocate: advocate.id, is_opened: false })
    const [first] = await candidates(manager, made.issue)
    expect([first.id, first.known, first.reason]).toEqual([
      advocate.id,
      1,
      expect.stringContaining('Has worked with this client'),
    ])
    // That issue is not theirs to see.
    expect(await candidates(leader, made.issue)).toEqual(before)
  })

  it('is not suggested while on leave', async () => {
    const [first] = await candidates(manager, made.issue)
    expect(first.reason).not.toBeNull()
    await sql`update staff set status = 4, leave_from = current_date where id = ${first.id}`.execute(
      context.db,
    )
    const found = await candidates(manager, made.issue)
    expect(found.at(-1)).toMatchObject({ id: first.id, leave: 'on leave', reason: null })
    const { body } = await manager('issues.candidates', { query: { issues: made.issue, at_work: true } })
    expect(body.data).toEqual(found.slice(0, -1))
    await sql`update staff set status = 1, leave_from = null where id = ${first.id}`.execute(context.db)
  })

  it('is nearer where they work already', async () => {
    const near = await createCase(hub)
    await sql`update clients set postcode = 'TR1 1AA' where id = any(${[near.client, made.client]}::int[])`.execute(
      context.db,
    )
    await work(near.issue, { advocate: advocate.id })
    const found = (await candidates(manager, made.issue)).find(({ id }) => id === advocate.id)!
    expect([found.distance, found.reason]).toEqual([0, expect.stringMatching(/works nearby/i)])
    const { body } = await manager('issues.candidates', { query: { issues: made.issue, nearby: true } })
    expect(body.data.map(({ id }: Candidate) => id)).toEqual([advocate.id])
    expect([kilometresBetween('LS', 'HG'), kilometresBetween('LS', 'XX')]).toEqual([34, undefined])
    expect(kilometresBetween('TR', 'ZE')).toBeGreaterThan(1000)
  })

  it('is found nearby, though a hundred with less work are far away', async () => {
    const near = await createCase(hub)
    await sql`update clients set postcode = 'TR1 1AA' where id = ${near.client}`.execute(context.db)
    const { id } = (await candidates(manager, made.issue)).findLast(({ known, leave }) => !known && !leave)!
    await work(near.issue, { advocate: id })
    await sql`insert into staff (username, first_name, last_name, groups, services, contracts)
      select 'free' || n, 'Free', 'Person', groups, services, contracts
      from staff, generate_series(1, 100) n where id = ${advocate.id}`.execute(context.db)
    const { body } = await manager('issues.candidates', { query: { issues: made.issue, nearby: true } })
    const all = await candidates(manager, made.issue)
    await sql`delete from staff where username like 'free%'`.execute(context.db)
    expect(body.data.map((one: Candidate) => one.id)).toEqual([advocate.id, id])
    expect([all[1].id, all.length]).toEqual([id, 100])
  })
})

describe('hub staff who ask for another advocate', () => {
  const ask = (who: Caller, note?: string) =>
    who('issues.askAllocation', { params: { id: made.issue }, body: { note } })

  it('leave the present one, and the managers see why', async () => {
    await manager('issues.assign', { params: { id: made.issue }, body: { advocate: advocate.id } })
    expect((await required()).map(({ id }) => id)).not.toContain(made.issue)
    const { status, body } = await ask(hub, 'She asked for a woman')
    expect([status, body.advocate, body.allocation_note]).toEqual([200, advocate.id, 'She asked for a woman'])
    expect((await required()).find(({ id }) => id === made.issue)).toMatchObject({
      allocation_note: 'She asked for a woman',
      advocate: advocate.id,
    })
  })

  it('have asked until somebody assigns it, the same advocate or another', async () => {
    await manager('issues.assign', { params: { id: made.issue }, body: { advocate: advocate.id } })
    expect((await required()).map(({ id }) => id)).not.toContain(made.issue)
    await ask(hub)
    expect((await required()).map(({ id }) => id)).toContain(made.issue)
    await manager('staff.handOver', {
      params: { id: advocate.id },
      body: { to: [{ issue: made.issue, advocate: partner.id }] },
    })
    const { rows } = await sql`select allocation_asked from issues where id = ${made.issue}`.execute(
      context.db,
    )
    expect(rows).toEqual([{ allocation_asked: null }])
  })

  it('cannot ask for a closed issue', async () => {
    await work(made.issue, { is_opened: false })
    expect((await ask(hub, 'Too late')).body).toEqual({ note: ['This issue is closed already'] })
  })
})
