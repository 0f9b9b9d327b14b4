import { sql } from 'kysely'
import { beforeAll, describe, expect, it } from 'vitest'
import xlsx from 'xlsx'
import type { Column, ListScreen } from '../../src/contract/generated.ts'
import { relativeDay } from '../../src/contract/relativeDay.ts'
import { readSettings } from '../../src/server/core/settings.ts'
import { today } from '../../src/server/core/today.ts'
import { type Caller, describeServer } from './context.ts'
import { createCase } from './newCase.ts'

const SECONDS_A_DAY = 86_400
const START = '2026-03-01'
const END = '2026-03-10'

interface Done {
  id: number
  kind: 'actions' | 'activities'
  created_by: number
  done_on: string
  time_taken: number
}

const context = describeServer()
/** What everybody did, in and around the period. */
let done: Done[]

beforeAll(async () => {
  const { db } = context
  const admin = await context.as('admin')
  for (const [advocate, hub] of [
    ['advocate', null],
    ['stranger', 1],
    ['partner', 2],
    [null, null],
  ]) {
    const { issue } = await createCase(admin)
    await sql`update issues set hub = ${hub}, start_date = '2026-03-02',
      advocate = (select id from staff where username = ${advocate}) where id = ${issue}`.execute(db)
  }
  // Everybody on every issue, also where it has moved out of the team since.
  await sql`insert into actions (issue, client, "case", type, done_on, time_taken, created_by)
    select i.id, i.client, i."case", 1, date '2026-02-25' + floor(random() * 20)::int, floor(random() * 300)::int * 60, s.id
    from issues i, staff s, generate_series(1, 5)`.execute(db)
  await sql`insert into activities (type, commissioning_contract, done_on, time_taken, created_by)
    select 1, ceil(random() * 2)::int, case n when 1 then ${START}::date else date '2026-02-25' + floor(random() * 20)::int end,
      floor(random() * 300)::int * 60, s.id
    from staff s, generate_series(1, 5) n`.execute(db)
  const { rows } = await sql<Done>`
    select id, 'actions' as kind, created_by, done_on, time_taken from actions
    union all select id, 'activities', created_by, done_on, time_taken from activities`.execute(db)
  done = rows
})

const period = { start: START, end: END }
const sum = (list: Done[], kind?: Done['kind']) =>
  list.filter((one) => !kind || one.kind === kind).reduce((seconds, one) => seconds + one.time_taken, 0)
const times = (list: Done[]) => ({
  cases: sum(list, 'actions'),
  activities: sum(list, 'activities'),
  total: sum(list),
})

/** What these people did in the period and a person may open, asked one by one, or did themselves. */
async function opened(caller: Caller, staff: number[]): Promise<Done[]> {
  const list = done.filter(
    (one) => staff.includes(one.created_by) && one.done_on >= START && one.done_on <= END,
  )
  const seen = await Promise.all(
    list.map(
      async ({ kind, id, created_by }) =>
        created_by === caller.id || (await caller(`${kind}.read`, { params: { id } })).status === 200,
    ),
  )
  return list.filter((_, i) => seen[i])
}

describe('time', () => {
  it.each(['manager', 'partnermanager', 'hubmanager'])(
    'of a team is that of the rows that %s may open or did, person by person and in all',
    async (username) => {
      const caller = await context.as(username)
      const { body } = await caller('reports.time', { query: period })
      expect(body.data.length).toBeGreaterThan(0)
      const ids = body.data.map(({ id }: { id: number }) => id)
      const seen = await opened(caller, ids)
      for (const { id, name: _, ...row } of body.data)
        expect([id, row]).toEqual([id, times(seen.filter((one) => one.created_by === id))])
      expect(body.totals).toEqual(times(seen))
      expect(seen.length).toBeGreaterThan(0)
      expect(body.pagination.count).toBe(ids.length)
    },
  )

  it.each([
    ['actions', 'cases'],
    ['activities', 'activities'],
  ])('of a row is that of the %s that its link finds', async (kind, field) => {
    const manager = await context.as('manager')
    const { body } = await manager('reports.time', { query: period })
    // Of one's own hours those count too whose issue is out of sight, so that the search does not find them.
    const others = body.data.filter(({ id }: { id: number }) => id !== manager.id)
    expect(others.length).toBeGreaterThan(0)
    for (const row of others) {
      const { body: found } = await manager(`search.${kind}`, {
        body: { staff: row.id, ...period },
        query: { page_size: 500 },
      })
      expect([row.id, sum(found.data)]).toEqual([row.id, row[field]])
    }
  })

  it('of one of the team has each day of the period, also those without work, and adds up to their row', async () => {
    const manager = await context.as('manager')
    const { id } = await context.as('advocate')
    const { body } = await manager('reports.timeOf', { params: { id }, query: period })
    expect(body.data.map(({ date }: { date: string }) => date)).toEqual(
      Array.from({ length: 10 }, (_, i) => `2026-03-${String(i + 1).padStart(2, '0')}`),
    )
    const seen = await opened(manager, [id])
    for (const { date, staff, ...row } of body.data)
      expect([date, staff, row]).toEqual([date, id, times(seen.filter(({ done_on }) => done_on === date))])
    const { body: team } = await manager('reports.time', { query: { ...period, staff: id } })
    expect(team.data).toEqual([{ id, name: 'advocate Example', ...body.totals }])
  })

  it('of oneself is all that one did; of somebody outside the team there is none', async () => {
    const advocate = await context.as('advocate')
    const { body } = await advocate('reports.ownTime', { query: period })
    const own = done.filter(
      (one) => one.created_by === advocate.id && one.done_on >= START && one.done_on <= END,
    )
    expect(body.totals).toEqual(times(own))
    const { id } = await context.as('partner')
    const manager = await context.as('manager')
    expect((await manager('reports.timeOf', { params: { id } })).status).toBe(404)
    expect((await manager('reports.time', { query: { staff: id } })).body.data).toEqual([])
  })

  it('is that of the last seven days and today unless a period is asked for', async () => {
    const advocate = await context.as('advocate')
    const now = today('Europe/London')
    const { body } = await advocate('reports.ownTime')
    expect([body.data.length, body.data[0].date, body.data.at(-1).date]).toEqual([
      8,
      relativeDay('-7d', now),
      now,
    ])
    expect(body.totals).toEqual({ cases: 0, activities: 0, total: 0 })
  })

  it.each([
    [{ start: END, end: START }, { end: ['must not be before the start'] }],
    [{ start: '2001-01-01', end: END }, { end: ['must be at most three years after the start'] }],
    [{ start: 'yesterday' }, { start: ['must be a date like 2026-01-31'] }],
    [{ order_by: 'nothing' }, { order_by: ["no field 'nothing'"] }],
  ])('%o is refused by name', async (query, errors) => {
    const { status, body } = await (await context.as('advocate'))('reports.ownTime', { query })
    expect([status, body]).toEqual([400, errors])
  })

  it('goes out as a file with the same numbers, as hours', async () => {
    const manager = await context.as('manager')
    const { body } = await manager('reports.time', { query: { ...period, order_by: 'total' } })
    const reply = await fetch(
      `${context.address}/api/staff/time_report?start=${START}&end=${END}&order_by=total&format=xlsx`,
      { headers: manager.headers },
    )
    expect(reply.headers.get('content-disposition')).toBe(
      `attachment; filename="time-of-the-team-${START}-to-${END}-by-manager-example-on-${today('Europe/London')}.xlsx"`,
    )
    const book = xlsx.read(Buffer.from(await reply.arrayBuffer()), { cellNF: true })
    const { data } = book.Sheets
    expect(body.data.map((_: unknown, i: number) => Math.round(data[`E${i + 2}`].v * SECONDS_A_DAY))).toEqual(
      body.data.map(({ total }: { total: number }) => total),
    )
    expect([data.E1.v, data.E2.z]).toEqual(['Total', '[h]:mm'])
    const last = body.data.length + 2
    const sums = ['C', 'D', 'E'].map((column) => Math.round(data[`${column}${last}`].v * SECONDS_A_DAY))
    expect([data[`A${last}`].v, ...sums]).toEqual([
      'Total',
      ...['cases', 'activities', 'total'].map((field) => body.totals[field]),
    ])
    expect(data[`A${last + 1}`]).toBeUndefined()
  })

  it('goes out with what was asked, by whom and when in the document properties', async () => {
    const manager = await context.as('manager')
    const { id } = await context.as('advocate')
    const file = async (query: string) => {
      const reply = await fetch(`${context.address}/api/staff/time_report?format=xlsx${query}`, {
        headers: manager.headers,
      })
      const book = xlsx.read(Buffer.from(await reply.arrayBuffer()))
      return { name: reply.headers.get('content-disposition'), properties: book.Props!, ...book }
    }
    const began = Date.now()
    const { properties, SheetNames } = await file(`&start=${START}&end=${END}&staff=${id}`)
    expect(SheetNames).toEqual(['data'])
    expect(properties).toMatchObject({
      Title: 'Time of the team',
      Subject: 'Period: 1 March 2026 to 10 March 2026; Member of staff: advocate Example',
      Author: 'manager Example',
    })
    // Excel keeps whole seconds.
    const when = new Date(properties.CreatedDate!).getTime()
    expect(when).toBeGreaterThanOrEqual(began - 1000)
    expect(when).toBeLessThanOrEqual(Date.now() + 1000)
    const now = today('Europe/London')
    expect((await file('')).name).toContain(`-${relativeDay('-7d', now)}-to-${now}-by-`)
  })

  it('says which days it shows, also where nobody chose them', async () => {
    const manager = await context.as('manager')
    const now = today('Europe/London')
    const { body } = await manager('reports.time')
    expect(body.period).toEqual({ start: relativeDay('-7d', now), end: now })
    const chosen = await manager('reports.timeOf', { params: { id: manager.id }, query: period })
    expect(chosen.body.period).toEqual(period)
  })
})

describe('activity during the past week', () => {
  it.each(['hub', 'hubmanager'])('counts for %s what they may open', async (username) => {
    const caller = await context.as(username)
    const { body } = await caller('reports.lastWeek', { query: period })
    const seen = await opened(
      caller,
      body.data.map(({ id }: { id: number }) => id),
    )
    // Hub advisers see their hub, not only themselves.
    const { id: adviser } = await context.as('hub')
    const { id: hubManager } = await context.as('hubmanager')
    const people = body.data.map(({ id }: { id: number }) => id)
    expect([people.includes(adviser), people.includes(hubManager)]).toEqual([true, true])
    const count = (kind: Done['kind'], list: Done[]) => list.filter((one) => one.kind === kind).length
    for (const row of body.data) {
      const theirs = seen.filter((one) => one.created_by === row.id)
      expect(row).toMatchObject({
        actions: count('actions', theirs),
        activities: count('activities', theirs),
        time_taken: sum(theirs),
      })
    }
    expect(body.totals).toMatchObject({
      actions: count('actions', seen),
      activities: count('activities', seen),
      time_taken: sum(seen),
    })
  })

  it.each(['hub', 'hubmanager'])('leads %s from its numbers to as many issues', async (username) => {
    const { db } = context
    await sql`update issues set advocate = (select id from staff where username = 'hub'), start_date = ${period.start},
      close_date = case when id % 2 = 0 then ${period.end}::date end
      where id in (select id from issues where hub is not null order by id limit 4)`.execute(db)
    const caller = await context.as(username)
    const { columns } = context.contract.screens['activity-past-week'] as ListScreen
    const { body } = await caller('reports.lastWeek', { query: period })
    let issues = 0
    for (const row of body.data)
      for (const field of ['issues_opened', 'issues_closed']) {
        const { link } = columns.find(
          (column) => typeof column === 'object' && column.field === field,
        ) as Column
        const address = link!.replaceAll(/\{(\w+)\}/g, (_, name) => String({ ...period, ...row }[name]))
        const { searchType, ...filters } = Object.fromEntries(new URL(address, context.address).searchParams)
        expect(searchType).toBe('6')
        const found = await caller('search.issues', { body: filters })
        expect([field, row.name, found.body.pagination.count]).toEqual([field, row.name, row[field]])
        issues += row[field]
      }
    expect(issues).toBeGreaterThan(1)
  })
})

describe('all staff', () => {
  it.each(['admin', 'manager', 'partnermanager', 'hubmanager'])(
    'have for %s as many open issues as may be opened',
    async (username) => {
      const caller = await context.as(username)
      const { body } = await caller('reports.allStaff')
      const { rows } = await sql<{ id: number; advocate: number }>`select id, advocate from issues`.execute(
        context.db,
      )
      const seen = new Map<number, number>()
      for (const { id, advocate } of rows) {
        if ((await caller('issues.read', { params: { id } })).status === 200)
          seen.set(advocate, (seen.get(advocate) ?? 0) + 1)
      }
      expect(body.data.length).toBeGreaterThan(0)
      for (const { id, open_issues } of body.data) expect([id, open_issues]).toEqual([id, seen.get(id) ?? 0])
    },
  )

  it('have a step that is overdue from the day after it was due', async () => {
    const admin = await context.as('admin')
    const { issue } = await createCase(admin)
    const overdue = async (days: number) => {
      await sql`update issues set advocate = ${admin.id}, next_due = current_date - ${days}::int
        where id = ${issue}`.execute(context.db)
      const { data } = (await admin('reports.allStaff')).body
      return data.find(({ id }: { id: number }) => id === admin.id).overdue_steps
    }
    expect([await overdue(0), await overdue(1)]).toEqual([0, 1])
  })
})

describe('old cases', () => {
  it('are those of the last day that is old enough, and earlier ones', async () => {
    const advocate = await context.as('advocate')
    const { id: made } = await createCase(advocate)
    const { OLD_CASE_DAYS } = readSettings({})
    const isListed = async (days: number) => {
      await sql`update cases set close_date = current_date - ${days}::int where id = ${made}`.execute(
        context.db,
      )
      const { data } = (await advocate('reports.oldCases', { query: { page_size: 100 } })).body
      return data.some(({ id }: { id: number }) => id === made)
    }
    expect([await isListed(OLD_CASE_DAYS - 1), await isListed(OLD_CASE_DAYS)]).toEqual([false, true])
  })
})
