import { sql } from 'kysely'
import { beforeAll, describe, expect, it } from 'vitest'
import { relativeDay } from '../../src/contract/relativeDay.ts'
import { today } from '../../src/server/core/today.ts'
import { type Caller, describeServer } from './context.ts'
import { createCase, newCase } from './newCase.ts'

/** A day that the browser resolves: '-1d'. */
const DAY = /^-\d+d$/

const context = describeServer()
let advocate: Caller
let manager: Caller
/** The cases of the advocate, with their first issues. */
const made: { id: number; issue: number }[] = []
beforeAll(async () => {
  advocate = await context.as('advocate')
  manager = await context.as('manager')
  for (let i = 0; i < 6; i++) {
    const { id, issue } = await createCase(advocate)
    await sql`update issues set advocate = ${advocate.id} where "case" = ${id}`.execute(context.db)
    const answers = { sfg_concern: 'yes', sfg_category: [1], sfg_dsl_level: 1 }
    if (i < 2) await advocate('issues.update', { params: { id: issue }, body: { answers } })
    if (i < 3)
      await advocate('cases.update', {
        params: { id },
        body: { answers: { is_urgent: 'yes', urgent_reason: 'Soon' } },
      })
    // Exactly at the limits: due yesterday and today, without contact for 28 days and for 27.
    const due = ['current_date - 1', 'current_date'][i % 2]
    await advocate('tasks.create', { body: { title: 'Ring', due: '2030-01-01', issue } })
    await sql`update tasks set due = ${sql.raw(due)} where issue = ${issue} and title = 'Ring'`.execute(
      context.db,
    )
    const started = ['current_date - 28', 'current_date - 27'][i % 2]
    await sql`update issues set start_date = ${sql.raw(started)} where id = ${issue}`.execute(context.db)
    // Two late, one soon, and the others later.
    const [days, warn] = [i < 2 ? -2 : i === 2 ? 1 : 60, i < 3 ? -9 : 50]
    await sql`update deadlines set due = current_date + ${days}::int, warn_from = current_date + ${warn}::int
      where "case" = ${id}`.execute(context.db)
    made.push({ id, issue })
  }
})

it('counts for each person what the lists behind its numbers have', async () => {
  const now = today('Europe/London')
  const { data } = (await manager('reports.team')).body
  const row = data.find(({ id }: { id: number }) => id === advocate.id)
  expect(row).toMatchObject({
    open_issues: 6,
    urgent_issues: 3,
    overdue_steps: 3,
    quiet_issues: 3,
    alerted_issues: 2,
    deadlines_soon: 1,
    deadlines_late: 2,
  })
  const { columns } = context.contract.screens['my-team'] as unknown as {
    columns: { field: string; link?: string }[]
  }
  const links = columns.filter(
    (one) => typeof one === 'object' && one.link?.includes('?') && !one.link.includes('/time?'),
  )
  expect(links).toHaveLength(7)
  for (const { field, link } of links) {
    const [path, search] = link!.replaceAll('{id}', String(advocate.id)).split('?')
    const query = Object.fromEntries(
      [...new URLSearchParams(search)].map(([name, value]) => [
        name,
        DAY.test(value) ? relativeDay(value, now) : value,
      ]),
    )
    const list =
      path === '/dashboard/deadlines'
        ? await manager('deadlines.list', { query: { open: true, ...query } })
        : await manager('issues.ofStaff', { params: { id: advocate.id }, query })
    expect([field, list.status, list.body.pagination.count]).toEqual([field, 200, row[field]])
  }
})

interface Need {
  id: string
  kind: string
  name: string
  text: string
  page: string
  to: string
}
const needsOf = async (who: Caller): Promise<Need[]> => (await who('reports.teamNeeds')).body.data
const kindsOf = async (who: Caller) => (await needsOf(who)).map(({ kind }) => kind)

it('opens a person to the most pressing issues first', async () => {
  const { body } = await manager('issues.ofStaff', {
    params: { id: advocate.id },
    query: { state: 'open', page_size: 5 },
  })
  const rows = body.data as { deadlines: { text: string; level: string }[]; pressing: number }[]
  expect(rows.map(({ pressing }) => pressing)).toEqual([1, 1, 2, 2, 4])
  expect(rows.flatMap(({ deadlines }) => deadlines.map(({ level, text }) => `${level}: ${text}`))).toEqual([
    'danger: First contact 2 days late',
    'danger: First contact 2 days late',
    'warning: First contact tomorrow',
  ])
  const late = await manager('issues.ofStaff', { params: { id: advocate.id }, query: { deadline: 'late' } })
  expect(late.body.pagination.count).toBe(2)
})

describe('what needs the manager', () => {
  it('has the concerns that hold a record, with the way to it', async () => {
    const concerns = (await needsOf(manager)).filter(({ kind }) => kind === 'Held')
    expect(concerns.map(({ to }) => to).sort()).toEqual(
      made.slice(0, 2).map(({ id, issue }) => `/cases/${id}/issues/${issue}/details`),
    )
    expect(concerns[0].text).toMatch(/^: Safeguarding: .+, since .+\. Advocate: advocate Example\.$/)
  })

  it('has people who are away, with as many open issues as their list has, until somebody covers', async () => {
    const volunteer = await context.as('volunteer')
    const away = (status: number, cover: number | null) =>
      sql`update staff set status = ${status}, covered_by = ${cover} where id = ${advocate.id}`.execute(
        context.db,
      )
    const leave = async () =>
      (await manager('reports.team')).body.data.find(({ id }: { id: number }) => id === advocate.id).leave
    await away(4, null)
    expect(await leave()).toBe('on leave, nobody covers')
    const [line] = await needsOf(manager)
    expect(line).toMatchObject({ kind: 'No cover', page: `/dashboard/team/${advocate.id}?state=open` })
    expect(line.text).toBe(' is away. Nobody covers 6 open issues; 2 deadlines are late.')
    await away(4, manager.id)
    expect(await leave()).toBe('on leave, manager Example covers')
    expect(await kindsOf(manager)).not.toContain('No cover')
    const setStatus = (status: number) =>
      sql`update staff set status = ${status} where id = ${volunteer.id}`.execute(context.db)
    await away(4, volunteer.id)
    await setStatus(4)
    const uncovered = async () => (await kindsOf(manager)).filter((kind) => kind === 'No cover').length
    expect(await uncovered(), 'who is away covers for nobody, and needs no cover without work').toBe(1)
    await setStatus(1)
    expect(await kindsOf(manager)).not.toContain('No cover')
    await away(3, null)
    expect(await leave()).toBe('suspended')
    await setStatus(3)
    const suspended = await needsOf(manager)
    expect(await uncovered(), 'who has gone without work leaves none').toBe(1)
    await setStatus(1)
    expect(suspended[0].text).toBe(' is suspended, with 6 open issues.')
    expect(suspended.find(({ kind }) => kind === 'Late')!.text).toMatch(
      /, and advocate Example is suspended\.$/,
    )
    await away(1, null)
  })

  it('has late deadlines of work that nobody has', async () => {
    const { issue } = made[0]
    await sql`update issues set advocate = null where id = ${issue}`.execute(context.db)
    expect(await needsOf(manager)).toContainEqual(
      expect.objectContaining({ kind: 'Late', to: '/dashboard/allocations-required' }),
    )
    await sql`update issues set advocate = ${advocate.id} where id = ${issue}`.execute(context.db)
    expect(await kindsOf(manager)).not.toContain('Late')
  })

  it('has for managers of a hub the referrals that wait, as many as their list has', async () => {
    const [hubManager, other] = [await context.as('hubmanager'), await context.as('partnermanager')]
    await sql`insert into referral_requests (hub, service, case_type) values (1, 1, 1), (1, 1, 1)`.execute(
      context.db,
    )
    const linesAfter = async (days: number) => {
      await sql`update referral_requests set created_at = now() - make_interval(days => ${days})
        where id = (select max(id) from referral_requests)`.execute(context.db)
      return (await needsOf(hubManager)).filter(({ kind }) => kind === 'Referrals')
    }
    const { days } = context.contract.entities.referralRequest.automations!.find(({ waits }) => waits)!.waits!
    expect(await linesAfter(days - 1)).toEqual([])
    const lines = await linesAfter(days)
    const list = await hubManager('referrals.list', { query: { status: 1 } })
    expect(lines).toMatchObject([{ name: `${list.body.pagination.count} referrals` }])
    expect(await kindsOf(other)).not.toContain('Referrals')
    expect(await kindsOf(manager)).not.toContain('Referrals')
  })

  it('says nothing of the work of others', async () => {
    expect(await needsOf(await context.as('partnermanager'))).toEqual([])
    const lines = await needsOf(await context.as('hubmanager'))
    expect(lines.length).toBeGreaterThan(0)
    for (const { page, to } of lines) expect([page, to].join()).not.toMatch(/cases|clients/)
    for (const who of ['advocate', 'commissioner', 'hub'])
      expect((await (await context.as(who))('reports.teamNeeds')).status).toBe(403)
  })
})

describe('an excuse of a deadline', () => {
  const deadlineOf = async (issue: number) => {
    const { rows } = await sql<{ id: number }>`select id from deadlines where issue = ${issue} and is_open
      order by due limit 1`.execute(context.db)
    return rows[0].id
  }
  const unread = async (who: Caller) =>
    (await who('workNotices.list', { query: { seen: 'Unread' } })).body.data as { sentence: string }[]

  it('that is asked for is in the bell of the manager and among what needs them, until they answer', async () => {
    const id = await deadlineOf(made[0].issue)
    const ask = (who: Caller) =>
      who('deadlines.askExcuse', { params: { id }, body: { reason: 'Ward closed' } })
    expect((await ask(await context.as('volunteer'))).status).toBe(404)
    expect((await ask(await context.as('commissioner'))).status).toBe(403)
    expect((await ask(advocate)).status).toBe(200)
    expect((await unread(manager))[0].sentence).toMatch(
      /^Asked to excuse: First contact due: .+, by advocate Example$/,
    )
    const lines = (await needsOf(manager)).filter(({ kind }) => kind === 'Excuse')
    expect(lines).toMatchObject([{ to: '/dashboard/deadlines?asked=true&open=true' }])
    const list = await manager('deadlines.list', { query: { asked: true, open: true } })
    expect(list.body.pagination.count).toBe(lines.length)
    expect((await manager('deadlines.declineExcuse', { params: { id } })).body.note).toBeNull()
    expect(await kindsOf(manager)).not.toContain('Excuse')
    expect((await manager('deadlines.declineExcuse', { params: { id } })).status).toBe(404)
  })

  it('is answered in the bell of the person who asked, and of nobody else', async () => {
    const [first] = await unread(advocate)
    expect(first.sentence).toMatch(/^Not excused: First contact due: .+, by manager Example$/)
    const id = await deadlineOf(made[0].issue)
    const answers = async () =>
      (await unread(advocate)).filter(({ sentence }) => sentence.startsWith('Excused: First contact due: '))
    await manager('deadlines.excuse', { params: { id }, body: { reason: 'Ward closed' } })
    expect(await answers()).toHaveLength(0)
    await manager('deadlines.unexcuse', { params: { id } })
    await advocate('deadlines.askExcuse', { params: { id }, body: { reason: 'Ward closed' } })
    await manager('deadlines.excuse', { params: { id }, body: { reason: 'Yes' } })
    expect(await answers()).toHaveLength(1)
    await manager('deadlines.unexcuse', { params: { id } })
  })

  it('does not reveal the record to a manager who does not see it', async () => {
    const stranger = await context.as('partnermanager')
    const { issue } = made[1]
    const id = await deadlineOf(issue)
    const manage = (who: Caller) =>
      sql`update staff set line_manager = ${who.id} where id = ${advocate.id}`.execute(context.db)
    await manage(stranger)
    await advocate('deadlines.askExcuse', { params: { id }, body: { reason: 'Ward closed' } })
    await manage(manager)
    expect((await unread(stranger))[0].sentence).toBe(
      `Excuse of a deadline asked: issue ${issue}. Ask advocate Example`,
    )
    expect((await stranger('deadlines.excuse', { params: { id }, body: { reason: 'Yes' } })).status).toBe(404)
  })
})

it('marks a case with the deadlines of the issues that its reader sees only', async () => {
  const volunteer = await context.as('volunteer')
  const { id } = made[0]
  const { body } = await manager('cases.addIssue', {
    params: { id },
    body: { ...((await newCase(advocate)).issue as object), advocate: volunteer.id },
  })
  await sql`update deadlines set due = current_date + 60, warn_from = current_date + 50 where issue = ${body.id}`.execute(
    context.db,
  )
  const listed = async (who: Caller, query: object = {}) => {
    const { data } = (await who('cases.list', { query: { page_size: 50, ...query } })).body
    return data[id]?.deadlines?.length
  }
  expect([await listed(advocate), await listed(advocate, { deadline: 'late' })]).toEqual([1, 1])
  expect([await listed(volunteer), await listed(volunteer, { deadline: 'late' })]).toEqual([0, undefined])
  expect((await volunteer('deadlines.metOfCase', { params: { id } })).body.words).toBeNull()
  await sql`delete from issues where id = ${body.id}`.execute(context.db)
})

it('says how late a deadline is, or how soon, as its own list does', async () => {
  const { id } = made[0]
  const due = (days: number) =>
    sql`update deadlines set due = current_date + ${days}::int, warn_from = current_date - 999 where "case" = ${id}`.execute(
      context.db,
    )
  const words: [number, string][] = [
    [-731, '2 years late'],
    [-730, '23 months late'],
    [-61, '2 months late'],
    [-60, '1 month late'],
    [-59, '59 days late'],
    [-2, '2 days late'],
    [-1, '1 day late'],
    [0, 'today'],
    [1, 'tomorrow'],
    [2, 'in 2 days'],
  ]
  for (const [days, text] of words) {
    await due(days)
    const { data } = (await advocate('cases.list', { query: { page_size: 50 } })).body
    expect(data[id].deadlines[0].text).toBe(`${data[id].deadlines[0].label} ${text}`)
  }
  await due(-2)
})

it('is of the team and the hub of its managers only', async () => {
  const names = async (who: Caller) =>
    (await who('reports.team')).body.data.map(({ id }: { id: number }) => id)
  expect(await names(manager)).toContain(advocate.id)
  expect(await names(await context.as('partnermanager'))).not.toContain(advocate.id)
  const hub = await context.as('hub')
  expect(await names(await context.as('hubmanager'))).toContain(hub.id)
  expect((await advocate('reports.team')).status).toBe(403)
})

it('finds the cases of an advocate whose issue is visible, and separates open from closed ones', async () => {
  const list = async (who: Caller, query: object) => {
    const { status, body } = await who('cases.list', { query: { page_size: 50, ...query } })
    const rows = Object.values(body.data) as { advocate_name: string }[]
    return [status, rows.map(({ advocate_name }) => advocate_name)] as const
  }
  const { id, issue } = await createCase(manager)
  await sql`update issues set advocate = ${manager.id}, created_by = ${manager.id} where id = ${issue}`.execute(
    context.db,
  )
  const ofAdvocate = await list(advocate, { advocate: advocate.id })
  expect([ofAdvocate[0], ofAdvocate[1].length]).toEqual([200, 6])
  expect(new Set(ofAdvocate[1]).size).toBe(1)
  expect(await list(advocate, { advocate: manager.id })).toEqual([200, []])
  expect((await list(manager, { advocate: manager.id, closed: false }))[1]).toHaveLength(1)
  await manager('issues.close', { params: { id: issue }, body: { reasons: [1] } })
  expect((await list(manager, { closed: true }))[1]).toHaveLength(1)
  expect((await manager('cases.read', { params: { id } })).status).toBe(200)
})
