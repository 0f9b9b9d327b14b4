import { sql } from 'kysely'
import { beforeAll, describe, expect, it } from 'vitest'
import { addDays } from '../../src/contract/days.ts'
import { holidaysOf } from '../../src/contract/deadlines/calendars.ts'
import { addWorkingDays } from '../../src/contract/workingDays.ts'
import { today as dayOf } from '../../src/server/core/today.ts'
import { turnDeadlines } from '../../src/server/features/deadlines/turnDeadlines.ts'
import { readCalendars } from '../../src/server/records/lookups/bankHolidays.ts'
import { type Caller, describeServer } from './context.ts'
import { evaluated } from './evaluated.ts'
import { createCase, newCase } from './newCase.ts'

/** The shipped case type of paid representatives, which has visits and an authorisation. */
const RPR = 6
const VISIT = 6
const LETTER = 4

const context = describeServer()
let advocate: Caller
let manager: Caller
let admin: Caller
const SETTINGS = { TIME_ZONE: 'Europe/London', BANK_HOLIDAYS: 'england-and-wales' }
const today = dayOf(SETTINGS.TIME_ZONE)
const ago = (days: number) => addDays(today, -days)
beforeAll(async () => {
  advocate = await context.as('advocate')
  manager = await context.as('manager')
  admin = await context.as('admin')
})

const on = (id: unknown, body?: object) => ({ params: { id }, ...(body && { body }) })

interface Row {
  id: number
  name: string
  due: string
  deadline_state: string
  [key: string]: unknown
}

/** A case of the advocate that was begun so many days ago, with a visit due every four weeks. */
async function begunAgo(days: number, answers: object = {}) {
  const body = await newCase(advocate, RPR)
  const { case: caseRecord, issue } = body as Record<string, { answers: object }>
  const made = await createCase(advocate, RPR, {
    case: {
      ...caseRecord,
      answers: {
        ...caseRecord.answers,
        visit_every_weeks: 4,
        authorised_from: ago(300),
        authorised_to: addDays(today, 100),
        ...answers,
      },
    },
    issue: { ...issue, start_date: ago(days) },
  })
  await sql`update issues set advocate = ${advocate.id} where id = ${made.issue}`.execute(context.db)
  return made
}
const rowsOf = async (issue: number, query = {}): Promise<Row[]> =>
  (await advocate('deadlines.ofIssue', { ...on(issue), query })).body.data
const visits = async (issue: number) =>
  (await rowsOf(issue, { page_size: 100 }))
    .filter(({ name }) => name === 'visit')
    .map(({ due, deadline_state, met_on }) => [deadline_state, due, met_on])
    .sort((a, b) => (String(a[1]) < String(b[1]) ? -1 : 1))
async function act(issue: number, type: number, done_on: string): Promise<number> {
  const reply = await advocate('actions.create', { body: { issue, type, done_on, time_taken: 0 } })
  expect(reply.status).toBe(201)
  return reply.body.id
}

describe('the deadlines of an issue', () => {
  it('are there once it is saved, and late by their day', async () => {
    const { issue } = await begunAgo(30)
    expect(await visits(issue)).toEqual([['late', ago(2), null]])
    const [first] = (await rowsOf(issue)).filter(({ name }) => name === 'first_contact')
    expect(first).toMatchObject({
      title: 'First contact due',
      deadline_state: 'late',
      client_name: expect.any(String),
    })
  })

  it('say what can be done about them: an action of which type, or which question', async () => {
    const { issue } = await begunAgo(30)
    const rows = await rowsOf(issue)
    const contact = rows.find(({ name }) => name === 'first_contact')!
    expect(contact).toMatchObject({
      is_met_by_action: true,
      meeting_type: null,
      meeting_page: null,
      plan_for: today,
    })
    expect(rows.find(({ name }) => name === 'visit')).toMatchObject({
      is_met_by_action: true,
      meeting_type: VISIT,
    })
    const { body } = await manager('deadlines.ofCase', on(contact.case))
    expect(body.data.find(({ name }: Row) => name === 'authorisation')).toMatchObject({
      is_met_by_action: false,
      meeting_type: null,
      meeting_page: null,
      plan_for: addDays(today, 100),
    })
    const work = (await advocate('worklist.list', { query: { page_size: 500 } })).body.data
    expect(work.find((row: Row) => row.issue === issue && row.next_step === 'Visit due')?.meeting_type).toBe(
      VISIT,
    )
  })

  it('are met by an action, also early, which begins the next', async () => {
    const { issue } = await begunAgo(20)
    await act(issue, LETTER, ago(12))
    expect(await visits(issue)).toEqual([['due', addDays(today, 8), null]])
    await act(issue, VISIT, ago(10))
    expect(await visits(issue)).toEqual([
      ['met', addDays(today, 8), ago(10)],
      ['due', addDays(today, 18), null],
    ])
  })

  it('are no longer met by an action that was entered in error, until that is undone', async () => {
    const { issue } = await begunAgo(40)
    const action = await act(issue, VISIT, ago(20))
    const met = [
      ['met', ago(12), ago(20)],
      ['due', addDays(today, 8), null],
    ]
    expect(await visits(issue)).toEqual(met)
    const entry = { params: { entity: 'action', id: action } }
    expect(
      (await advocate('entries.markError', { ...entry, body: { reason: 'Another client' } })).status,
    ).toBe(200)
    expect(await visits(issue)).toEqual([['late', ago(12), null]])
    expect((await advocate('entries.clearError', entry)).status).toBe(200)
    expect(await visits(issue)).toEqual(met)
  })

  it('stay late as one row, and end with the issue as missed', async () => {
    const { issue } = await begunAgo(200)
    expect(await visits(issue)).toEqual([['late', ago(172), null]])
    expect((await manager('issues.close', on(issue, { reasons: [1] }))).status).toBe(200)
    expect(await visits(issue)).toEqual([['missed', ago(172), null]])
    expect((await manager('issues.reopen', on(issue, { reason: 'Again' }))).status).toBe(200)
    expect(await visits(issue)).toEqual([['late', ago(172), null]])
  })

  it('keep what was met when the case type is published, and compute the open ones anew', async () => {
    const { issue } = await begunAgo(40)
    await act(issue, VISIT, ago(20))
    const type = (await admin('caseTypes.read', on(RPR))).body
    const deadlines = type.deadlines.map((one: { name: string }) =>
      one.name === 'visit' ? { ...one, every: { weeks: 2 } } : one,
    )
    const publish = (list: unknown, version: number) =>
      admin(
        'caseTypes.update',
        on(RPR, { version, deadlines: list, publish_anyway: 'Its tests are of the shipped deadlines' }),
      )
    expect((await publish(deadlines, type.version)).status).toBe(200)
    await evaluated(context)
    expect(await visits(issue)).toEqual([
      ['met', ago(12), ago(20)],
      ['late', ago(6), null],
    ])
    expect((await publish(type.deadlines, type.version + 1)).status).toBe(200)
    await evaluated(context)
  })

  it('are invisible to those who do not see the issue', async () => {
    const { issue, id } = await begunAgo(30)
    const stranger = await context.as('stranger')
    expect((await stranger('deadlines.ofIssue', on(issue))).body.data ?? []).toEqual([])
    expect((await stranger('deadlines.list', {})).body.data).toEqual([])
    const all = await advocate('deadlines.ofCase', on(id))
    expect(all.body.data.map(({ name }: Row) => name).sort()).toEqual([
      'authorisation',
      'first_contact',
      'visit',
    ])
  })
})

describe('the worklist', () => {
  it('has deadlines that are late or due within a week, without a task', async () => {
    const { issue } = await begunAgo(30)
    const { body } = await advocate('worklist.list', { query: { deadlines: true, page_size: 200 } })
    const own = body.data.filter((row: Row) => row.issue === issue)
    expect(
      own.map((row: Row) => [row.next_step, row.deadline_state, row.task, row.due_group]).sort(),
    ).toEqual([
      ['First contact due', 'late', null, 'overdue'],
      ['Visit due', 'late', null, 'overdue'],
    ])
    expect(body.chips.deadlines).toBe(body.data.length)
  })
})

describe('a manager', () => {
  it('excuses a deadline with a reason, which begins the next, and can undo it', async () => {
    const { issue } = await begunAgo(40)
    const [late] = (await rowsOf(issue)).filter(({ name }) => name === 'visit')
    expect((await advocate('deadlines.excuse', on(late.id, { reason: 'Abroad' }))).status).toBe(403)
    expect((await manager('deadlines.excuse', on(late.id, { reason: '' }))).status).toBe(400)
    const excused = await manager('deadlines.excuse', on(late.id, { reason: 'Abroad' }))
    expect(excused.body).toMatchObject({
      deadline_state: 'excused',
      excused_reason: 'Abroad',
      is_open: false,
    })
    expect(await visits(issue)).toEqual([
      ['excused', ago(12), null],
      ['due', addDays(today, 28), null],
    ])
    const { rows } = await sql`select action, changes from audit where entity = 'issue' and record = ${issue}
      and action = 'excuse'`.execute(context.db)
    expect(rows).toEqual([{ action: 'excuse', changes: { Visit: { from: null, to: 'Abroad' } } }])
    expect((await manager('deadlines.unexcuse', on(late.id))).status).toBe(200)
    expect(await visits(issue)).toEqual([['late', ago(12), null]])
    const { data } = (await manager('chronology.ofIssue', on(issue))).body
    expect(data.slice(0, 2).map(({ title }: { title: string }) => title)).toEqual([
      'Issue deadline no longer excused',
      'Issue deadline excused',
    ])
  })

  it('undoes no excuse from which a later one counts, which keeps who excused it and why', async () => {
    const { issue } = await begunAgo(40)
    const ofState = async (state: string) =>
      (await rowsOf(issue)).find((row) => row.name === 'visit' && row.deadline_state === state)!
    const first = await ofState('late')
    expect((await manager('deadlines.excuse', on(first.id, { reason: 'Abroad' }))).status).toBe(200)
    const second = await ofState('due')
    expect((await manager('deadlines.excuse', on(second.id, { reason: 'In hospital' }))).status).toBe(200)
    const undone = await manager('deadlines.unexcuse', on(first.id))
    expect([undone.status, undone.body.message]).toEqual([409, expect.stringContaining('a later one')])
    expect(await rowsOf(issue)).toContainEqual(
      expect.objectContaining({
        id: second.id,
        excused_by_name: 'manager Example',
        excused_reason: 'In hospital',
      }),
    )
    expect((await manager('deadlines.unexcuse', on(second.id))).status).toBe(200)
    expect((await manager('deadlines.unexcuse', on(first.id))).status).toBe(200)
    expect(await visits(issue)).toEqual([['late', ago(12), null]])
  })

  it('excuses nothing that a visit meets at the same moment', async () => {
    const { issue } = await begunAgo(40)
    const [{ id }] = (await rowsOf(issue)).filter(({ name }) => name === 'visit')
    const replies = await Promise.all([
      manager('deadlines.excuse', on(id, { reason: 'Abroad' })),
      manager('deadlines.excuse', on(id, { reason: 'Ill' })),
      act(issue, VISIT, ago(1)),
    ])
    const { rows } = await sql<{ met: boolean; excused: boolean }>`select met_on is not null as met,
      excused_on is not null as excused from deadlines where issue = ${issue} and name = 'visit'`.execute(
      context.db,
    )
    expect(rows.filter(({ met, excused }) => met && excused)).toEqual([])
    expect(
      replies.slice(0, 2).filter((reply) => (reply as { status: number }).status === 200).length,
    ).toBeLessThan(2)
  })

  it('answers a request with an excuse, so that it does not come back when the excuse is undone', async () => {
    const { issue } = await begunAgo(40)
    const [{ id }] = (await rowsOf(issue)).filter(({ name }) => name === 'visit')
    expect((await advocate('deadlines.askExcuse', on(id, { reason: 'Abroad' }))).body.is_excuse_asked).toBe(
      true,
    )
    expect((await manager('deadlines.excuse', on(id, { reason: 'Yes' }))).body.is_excuse_asked).toBe(false)
    expect((await manager('deadlines.unexcuse', on(id))).body).toMatchObject({
      is_excuse_asked: false,
      excuse_asked_note: null,
      note: null,
    })
  })
})

describe('a pause', () => {
  it('moves what is due by its days and keeps its state meanwhile', async () => {
    const made = await createCase(advocate, 4, {})
    await sql`update cases set answers = answers || ${JSON.stringify({ consent_date: ago(20) })}::jsonb
      where id = ${made.id}`.execute(context.db)
    const save = (answers: object) => advocate('issues.update', on(made.issue, { answers }))
    expect((await save({ report_needed: 'yes', waiting_for_papers: 'yes' })).status).toBe(200)
    const report = async () => (await rowsOf(made.issue)).find(({ name }) => name === 'report')
    expect(await report()).toMatchObject({ due: addDays(today, 8), paused_since: today })
    await sql`update deadline_pauses set from_day = ${ago(5)} where issue = ${made.issue}`.execute(context.db)
    expect((await save({ waiting_for_papers: 'no' })).status).toBe(200)
    expect(await report()).toMatchObject({
      due: addDays(today, 13),
      paused_since: null,
      paused_days: 5,
      note: 'Moved by 5 days',
    })
    expect((await save({ report_sent: today })).status).toBe(200)
    expect(await report()).toMatchObject({ deadline_state: 'met', met_on: today, is_in_time: true })
  })
})

describe('an automation that looks at a deadline', () => {
  it('holds from the day on which that is late, by one turn of all servers', async () => {
    const type = (await admin('caseTypes.read', on(RPR))).body
    const automations = [
      ...type.automations,
      {
        name: 'late_visit',
        label: 'Visit is late',
        of: 'issue',
        when: { 'deadline.visit': 'late' },
        then: [{ alert: 'Visit is late', level: 'warning' }],
      },
    ]
    const refused = await admin(
      'caseTypes.update',
      on(RPR, {
        version: type.version,
        automations: [{ ...automations.at(-1), when: { 'deadline.visits': 'late' } }],
      }),
    )
    expect(Object.values(refused.body).flat().join()).toMatch(/no such field; did you mean 'visit'/)
    expect((await admin('caseTypes.update', on(RPR, { version: type.version, automations }))).status).toBe(
      200,
    )
    await evaluated(context)
    const { issue } = await begunAgo(20)
    const holding = async () =>
      (
        await sql`select from automation_states where issue = ${issue} and name = 'late_visit'`.execute(
          context.db,
        )
      ).rows.length
    expect(await holding()).toBe(0)
    // The day on which it is late: as if all days until then had passed.
    await sql`update deadlines set due = ${ago(1)}, counted_from = ${ago(29)} where issue = ${issue} and name = 'visit'`.execute(
      context.db,
    )
    await sql`update issues set start_date = ${ago(29)} where id = ${issue}`.execute(context.db)
    await sql`delete from automation_changes`.execute(context.db)
    await turnDeadlines(context.db, ago(1))
    await sql`update setting set value = to_jsonb(${ago(1)}::text) where name = 'deadlines_seen_on'`.execute(
      context.db,
    )
    const turned = await Promise.all([turnDeadlines(context.db, today), turnDeadlines(context.db, today)])
    expect(turned.filter((cases) => cases > 0)).toHaveLength(1)
    await evaluated(context)
    expect(await holding()).toBe(1)
    expect(await turnDeadlines(context.db, today)).toBe(0)
  })

  it('is evaluated again for a deadline that turns on one of the days that have begun, and on no other', async () => {
    const { id, issue } = await begunAgo(20)
    const isNoted = async (dates: { warn_from?: string; due?: string; ends_on?: string }) => {
      const { warn_from = ago(50), due = dates.ends_on ? ago(40) : ago(-50), ends_on = null } = dates
      await sql`update deadlines set warn_from = ${warn_from}, due = ${due}, ends_on = ${ends_on} where issue = ${issue}`.execute(
        context.db,
      )
      await sql`delete from automation_changes`.execute(context.db)
      await sql`update setting set value = to_jsonb(${ago(3)}::text) where name = 'deadlines_seen_on'`.execute(
        context.db,
      )
      await turnDeadlines(context.db, ago(1))
      const { rows } = await sql`select from automation_changes where "case" = ${id}`.execute(context.db)
      return rows.length > 0
    }
    const days = [4, 3, 2, 1, 0].map(ago)
    const noted = async (name: 'warn_from' | 'due' | 'ends_on') => {
      const found = []
      for (const day of days) found.push(await isNoted({ [name]: day }))
      return found
    }
    expect(await noted('warn_from')).toEqual([false, false, true, true, false])
    expect(await noted('due')).toEqual([false, true, true, false, false])
    expect(await noted('ends_on')).toEqual([false, true, true, false, false])
    await sql`delete from automation_changes`.execute(context.db)
    await turnDeadlines(context.db, today)
  })
})

describe('an edited calendar', () => {
  it('moves the day of a step that an automation plans in working days', async () => {
    const { issue } = await begunAgo(0)
    const next = addWorkingDays(today, 1, new Set())
    const added = await admin('admin.add', {
      params: { app: 'core', type: 'bank_holiday' },
      body: { data: { label: 'A day off', day: next, calendars: [1] } },
    })
    expect(added.status).toBe(201)
    const answers = { sfg_concern: 'yes', sfg_category: [1], sfg_dsl_level: 1 }
    expect((await advocate('issues.update', on(issue, { answers }))).status).toBe(200)
    const { rows } = await sql<{
      due: string
    }>`select due from tasks where issue = ${issue} and event is not null
      and title like 'Agree with your manager%'`.execute(context.db)
    expect(rows).toEqual([{ due: addWorkingDays(today, 1, new Set([next])) }])
    const removed = { data: { label: 'A day off', day: next, calendars: [2] } }
    const params = { app: 'core', type: 'bank_holiday', id: added.body.id }
    expect((await admin('admin.change', { params, body: removed })).status).toBe(200)
  })

  it('moves what is still due, and leaves what was met', async () => {
    const { issue } = await begunAgo(0)
    const contact = async () => (await rowsOf(issue)).find(({ name }) => name === 'first_contact')!
    const before = (await contact()).due
    const holiday = { label: 'A day off', day: before, calendars: [1] }
    const added = await admin('admin.add', {
      params: { app: 'core', type: 'bank_holiday' },
      body: { data: holiday },
    })
    expect(added.status).toBe(201)
    expect((await contact()).due > before).toBe(true)
    await act(issue, VISIT, today)
    const { due } = await contact()
    const retired = { data: { ...holiday, calendars: [2] } }
    const changed = await admin('admin.change', {
      params: { app: 'core', type: 'bank_holiday', id: added.body.id },
      body: retired,
    })
    expect(changed.status).toBe(200)
    expect(await contact()).toMatchObject({ due, deadline_state: 'met' })
  })

  describe('before it is saved', () => {
    const LIST = { app: 'core', type: 'bank_holiday' }
    const openRows = async () => {
      await evaluated(context)
      const { rows } = await sql<{
        id: number
        due: string
        label: string
      }>`select id, due, label from deadlines
        where is_open order by id`.execute(context.db)
      return rows
    }
    const storedItems = async () =>
      (await sql`select * from lookup order by kind, value`.execute(context.db)).rows
    /** The lines that the rows before and after a change come to. */
    const linesOf = (before: Awaited<ReturnType<typeof openRows>>, after: typeof before) => {
      const lines = new Map<string, { earlier: number; later: number }>()
      for (const { id, due, label } of after) {
        const was = before.find((row) => row.id === id)?.due
        if (was === undefined || was === due) continue
        const line = lines.get(label) ?? { earlier: 0, later: 0 }
        line[due < was ? 'earlier' : 'later']++
        lines.set(label, line)
      }
      return [...lines]
        .map(([label, { earlier, later }]) => ({ id: label, count: earlier + later }))
        .toSorted(byId)
    }
    const byId = (a: { id: string }, b: { id: string }) => a.id.localeCompare(b.id)
    const counts = (effects: { id: string; count: number }[]) =>
      effects.map(({ id, count }) => ({ id, count })).toSorted(byId)

    it('says which open deadlines would move, by as many as then do, and saves nothing', async () => {
      const { issue } = await begunAgo(0)
      const due = (await rowsOf(issue)).find(({ name }) => name === 'first_contact')!.due
      const body = { data: { label: 'A jubilee', day: due, calendars: [1] } }
      const [items, before] = [await storedItems(), await openRows()]

      const adding = await admin('admin.addEffects', { params: LIST, body })
      expect(adding.status).toBe(200)
      expect(adding.body.find(({ id }: { id: string }) => id === 'First contact').label).toMatch(
        /^First contact: \d+ comes? later/,
      )
      expect([await storedItems(), await openRows()]).toEqual([items, before])
      const added = await admin('admin.add', { params: LIST, body })
      const withDay = await openRows()
      expect(counts(adding.body)).toEqual(linesOf(before, withDay))

      const params = { ...LIST, id: added.body.id }
      const usage = await admin('admin.usage', { params })
      const moved = { data: { ...body.data, calendars: [2] } }
      const changing = await admin('admin.changeEffects', { params, body: moved })
      expect(await openRows()).toEqual(withDay)
      expect((await admin('admin.change', { params, body: moved })).status).toBe(200)
      expect(counts(changing.body)).toEqual(linesOf(withDay, await openRows()))
      const without = usage.body.filter(({ table }: { table: string }) => table === 'deadlines')
      expect(counts(without)).toEqual(counts(changing.body))
      expect(without[0].label).toMatch(/^Open deadlines, .+ earlier without it$/)
    })

    it('names those that are no longer late with a day, and would turn late without it', async () => {
      const calendars = await readCalendars(context.db, SETTINGS.BANK_HOLIDAYS)
      const holidays = holidaysOf(calendars, calendars.standard)
      const dueAfter = (n: number) => addWorkingDays(ago(n), 2, holidays)
      // The first day of the past from which a contact is late, so that one day off more ends that.
      const begun = Array.from({ length: 20 }, (_, n) => n).find((n) => dueAfter(n) < today)!
      await begunAgo(begun)
      const body = { data: { label: 'A coronation', day: dueAfter(begun), calendars: [1] } }
      const adding = await admin('admin.addEffects', { params: LIST, body })
      const line = (effects: { id: string; label: string }[]) =>
        effects.find(({ id }) => id === 'First contact')!.label
      expect(line(adding.body)).toMatch(/later, \d+ (is|are) no longer late$/)
      const added = await admin('admin.add', { params: LIST, body })
      await evaluated(context)
      const params = { ...LIST, id: added.body.id }
      const usage = await admin('admin.usage', { params })
      expect(line(usage.body)).toMatch(
        /^Open deadlines, First contact: .+ earlier, \d+ turns? late without it$/,
      )
      expect((await admin('admin.change', { params, body: { data: { status: 2 } } })).status).toBe(200)
      await evaluated(context)
      expect(line((await admin('admin.usage', { params })).body)).toMatch(
        /^Open deadlines, First contact: .+ no longer late with it$/,
      )
    })

    it('is said by the preview of an import too', async () => {
      const { issue } = await begunAgo(0)
      const { due } = (await rowsOf(issue)).find(({ name }) => name === 'first_contact')!
      const sheet = new FormData()
      const rows = `Label,Day,Calendars\nA wedding,${due},England and Wales\n`
      sheet.append('file', new Blob([rows]), 'days.csv')
      const reply = await admin.raw('/api_admin/core/bank_holiday/import/preview/', {
        method: 'POST',
        body: sheet,
      })
      expect([reply.status, reply.body.errors]).toEqual([200, []])
      const labels = reply.body.effects.map(({ label }: { label: string }) => label)
      expect(labels).toContainEqual(expect.stringMatching(/^First contact: .+ later/))
    })

    it('has no effect for another list, a label, or a day of a calendar that nobody has', async () => {
      const effects = async (type: string, data: object) =>
        (await admin('admin.addEffects', { params: { type }, body: { data } })).body
      expect(await effects('contracts', { label: 'Another' })).toEqual([])
      expect(await effects('bank_holiday', { label: 'No day' })).toEqual([])
      const { body: calendar } = await admin('admin.add', {
        params: { app: 'core', type: 'bank_holiday_calendar' },
        body: { data: { label: 'Nobody has it' } },
      })
      expect(
        await effects('bank_holiday', { label: 'Elsewhere', day: today, calendars: [calendar.id] }),
      ).toEqual([])
    })

    it('refuses what saving would refuse, with the same errors', async () => {
      const body = { data: { label: '', day: 'tomorrow', calendars: [1] } }
      const saved = await admin('admin.add', { params: LIST, body })
      const effects = await admin('admin.addEffects', { params: LIST, body })
      expect(saved.status).toBe(400)
      expect([effects.status, effects.body]).toEqual([400, saved.body])
    })
  })
})

describe('the impact of a draft', () => {
  const published = async () => (await admin('caseTypes.read', on(RPR))).body
  const impact = async (deadlines: unknown, automations: unknown[] = []) =>
    admin('automations.impact', on(RPR, { automations, deadlines }))
  const openNow = async (name: string) => {
    const { rows } = await sql<{ n: number; late: number }>`select count(*)::int as n,
      count(*) filter (where due < ${today})::int as late from deadlines
      where case_type = ${RPR} and name = ${name} and is_open and paused_since is null
        and deadline_state(deadlines, ${today}::date) in ('due', 'soon', 'late')`.execute(context.db)
    return rows[0]
  }

  it('says which deadlines come later or earlier, are new, gone or met, and changes nothing', async () => {
    const { issue } = await begunAgo(30)
    await act(issue, LETTER, ago(3))
    // What was missed is over, and counts as neither open nor gone.
    expect((await manager('issues.close', on((await begunAgo(200)).issue, { reasons: [1] }))).status).toBe(
      200,
    )
    await evaluated(context)
    const { deadlines } = await published()
    const [contact, visit] = deadlines
    const before = await visits(issue)
    const changed = [
      { ...contact, met_by: { actions: [LETTER] } },
      { ...visit, every: { weeks: 1 } },
      { ...contact, name: 'letter', label: 'Letter', within: { days: 1 } },
    ]
    const { status, body } = await impact(changed)
    expect([status, body.counted]).toEqual([200, body.cases])
    const of = (name: string) => body.deadlines.find((one: { name: string }) => one.name === name)
    const [contacts, authorisations] = [await openNow('first_contact'), await openNow('authorisation')]
    expect(of('first_contact').met).toBeGreaterThan(0)
    expect(of('first_contact').open + of('first_contact').met).toBe(contacts.n)
    expect(of('visit').earlier).toBeGreaterThan(0)
    expect(of('visit').later).toBe(0)
    expect(of('letter').added).toBe(of('letter').open)
    // One that goes has what is open now.
    expect(of('authorisation')).toMatchObject({ open: 0, gone: authorisations.n })
    expect(await visits(issue)).toEqual(before)
    const moved = (deadline: string) =>
      admin('automations.impactRecords', on(RPR, { automations: [], deadlines: changed, deadline }))
    const moves = (await moved('visit')).body.data
    expect(moves).toHaveLength(of('visit').moved)
    expect(moves.find((one: { issue: number }) => one.issue === issue)).toMatchObject({
      was: before.at(-1)![1],
      due: expect.any(String),
      is_met: false,
    })
    expect((await moved('first_contact')).body.data.map((one: { is_met: boolean }) => one.is_met)).toEqual(
      Array(of('first_contact').met).fill(true),
    )
    const same = await impact(deadlines)
    for (const { added, earlier, later, gone, met, moved } of same.body.deadlines)
      expect([added, earlier, later, gone, met, moved]).toEqual([0, 0, 0, 0, 0, 0])
  })

  it('knows the states of deadlines that automations look at', async () => {
    const late = {
      name: 'visit_late',
      label: 'Visit late',
      of: 'issue',
      when: { 'deadline.visit': 'late' },
      then: [{ alert: 'Visit late', level: 'warning' }],
    }
    const { deadlines } = await published()
    const { body } = await impact(deadlines, [late])
    const [{ holds }] = body.automations
    expect(holds).toBe(body.deadlines.find(({ name }: { name: string }) => name === 'visit').late)
    expect(holds).toBeGreaterThan(0)
    // Without deadlines in the body, the published ones count.
    expect((await impact(undefined, [late])).body.automations[0].holds).toBe(holds)
    expect(Object.keys((await impact([{ name: 'x' }])).body)).toEqual(['deadlines.0'])
  })
})

describe('a calculation with the calendar of the council area', () => {
  const SCOTLAND = 2

  it('travels with the case type, counts its bank holidays, and follows an edited calendar', async () => {
    const { case_meta, version, label } = (await admin('caseTypes.read', on(RPR))).body
    const plain = (await advocate('caseTypes.read', on(RPR))).body
    expect(plain.calendars).toBeNull()
    const field = {
      name: 'answer_by',
      label: 'Answer by',
      type: 'date',
      attrs: { is_on: true, calc: 'add_working_days', of: ['date_received', 1], calendar: true },
    }
    const [first, ...rest] = case_meta
    const withField = [{ ...first, fields: [...first.fields, field] }, ...rest]
    const body = { version, label, case_meta: withField }
    const publication = await admin('caseTypes.update', on(RPR, body))
    expect([publication.status, publication.body.version]).toEqual([200, version + 1])
    const { calendars } = (await advocate('caseTypes.read', on(RPR))).body
    expect(calendars.days[calendars.standard]).toContain('2025-12-26')
    const { rows: areas } = await sql<{ value: number }>`update lookup
      set attrs = attrs || ${JSON.stringify({ bank_holidays: SCOTLAND })}::jsonb
      where kind = 'council_area' and value = 2 returning value`.execute(context.db)
    expect(areas).toHaveLength(1)
    const { id } = await begunAgo(30)
    const save = async (change: object) => {
      const reply = await advocate('cases.update', on(id, change))
      expect([reply.status, reply.body]).toEqual([200, expect.anything()])
      return reply.body.answers.answer_by
    }
    const received = (day: string) => ({ answers: { date_received: day } })
    expect(await save({ council_area: 1, ...received('2025-12-31') })).toBe('2026-01-02')
    // 2 January is a bank holiday in Scotland; the new area counts at once, and without another answer.
    expect(await save({ council_area: 2 })).toBe('2026-01-05')
    expect(await save({ council_area: 1, ...received('2025-04-17') })).toBe('2025-04-22')
    expect(await save({ council_area: 2 })).toBe('2025-04-21')
    const added = await admin('admin.add', {
      params: { app: 'core', type: 'bank_holiday' },
      body: { data: { label: 'A day off', day: '2025-04-21', calendars: [SCOTLAND] } },
    })
    expect(added.status).toBe(201)
    const edited = (await advocate('caseTypes.read', on(RPR))).body.calendars
    expect(edited.days[SCOTLAND]).toContain('2025-04-21')
    // What is stored follows with the next save of its record.
    expect(await save(received('2025-04-17'))).toBe('2025-04-22')
  })
})
