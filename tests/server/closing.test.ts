import { sql } from 'kysely'
import { beforeAll, describe, expect, it } from 'vitest'
import { type Caller, describeServer } from './context.ts'
import { createCase, newCase } from './newCase.ts'

const context = describeServer()
let advocate: Caller
let manager: Caller
beforeAll(async () => {
  advocate = await context.as('advocate')
  manager = await context.as('manager')
})

const DIED = 6
const on = (id: unknown, body?: object) => ({ params: { id }, ...(body && { body }) })

/** A case whose issue is the advocate's, with a further issue of the same client. */
async function twoIssues() {
  const made = await createCase(advocate)
  const { issue: body } = (await newCase(advocate)) as { issue: object }
  const other = (await advocate('cases.addIssue', on(made.id, body))).body.id as number
  await sql`update issues set advocate = ${advocate.id} where "case" = ${made.id}`.execute(context.db)
  return { ...made, other }
}
const step = async (issue: number, title: string) =>
  (await advocate('tasks.create', { body: { title, due: '2030-03-01', issue } })).body.id as number
const task = async (id: number) => (await advocate('tasks.read', on(id))).body
const read = async (id: number) => (await advocate('issues.read', on(id))).body
const leftOpen = async (who: Caller) =>
  (await who('tasks.leftOpen', { query: { page_size: 100 } })).body.data.map((row: { id: number }) => row.id)

describe('closing an issue', () => {
  it('may be on the first day of the issue, and not on the day before', async () => {
    const { issue } = await twoIssues()
    await advocate('issues.update', on(issue, { start_date: '2026-02-10' }))
    const close = (day: string) => advocate('issues.close', on(issue, { reasons: [1], close_date: day }))
    expect((await close('2026-02-09')).body).toEqual({
      close_date: ['Closed on must not be before start date'],
    })
    expect((await close('2026-02-10')).body).toMatchObject({ is_opened: false, close_date: '2026-02-10' })
  })

  it('with its reasons alone leaves its open steps, which the managers see listed', async () => {
    const { issue } = await twoIssues()
    const left = await step(issue, 'Send the letter')
    const { status, body } = await advocate('issues.close', on(issue, { reasons: [1] }))
    expect([status, body.is_opened]).toEqual([200, false])
    expect(await task(left)).toMatchObject({ is_done: false, is_left_open: true })
    expect(await leftOpen(manager)).toContain(left)
    expect((await advocate('tasks.leftOpen')).status).toBe(403)
  })

  it('asks for its open steps, the outcomes that are missing, and the issues that a step can be moved to', async () => {
    const { issue, other } = await twoIssues()
    const ring = await step(issue, 'Ring the ward')
    const { body } = await advocate('issues.closingForm', on(issue))
    const byName = Object.fromEntries(body.fields.map((f: { name: string }) => [f.name, f]))
    expect(Object.keys(byName)).toEqual([
      'reasons',
      'close_date',
      'date_of_death',
      'steps',
      'actual_outcomes',
      'ndti_outcomes',
    ])
    expect(byName.date_of_death.attrs).toMatchObject({ when: { reasons: [DIED] }, required: true })
    expect(byName.steps.attrs).toEqual({ min: 1, max: 1 })
    expect(body.values).toEqual({ steps: [{ row: `s${ring}`, task: ring }] })
    const [, , , moved] = byName.steps.fields
    expect(moved.attrs.options.map(({ value }: { value: number }) => value)).toEqual([other])
  })

  it('does, drops with a reason and moves its open steps, and stores outcomes that were missing', async () => {
    const { issue, other } = await twoIssues()
    const [done, dropped, moved] = [
      await step(issue, 'One'),
      await step(issue, 'Two'),
      await step(issue, 'Three'),
    ]
    const body = {
      reasons: [1],
      steps: [
        { task: done, becomes: 'done' },
        { task: dropped, becomes: 'dropped', reason: 'The ward has closed' },
        { task: moved, becomes: 'moved', issue: other },
      ],
      actual_outcomes: [{ details: 'Went home' }],
    }
    const closed = await advocate('issues.close', on(issue, body))
    expect([closed.status, closed.body]).toMatchObject([200, { actual_outcomes: [{ details: 'Went home' }] }])
    expect(await task(done)).toMatchObject({ state: 'Done' })
    expect(await task(dropped)).toMatchObject({ state: 'Not needed', dropped_reason: 'The ward has closed' })
    expect(await task(moved)).toMatchObject({ state: 'To do', issue: other })
    expect(await read(other)).toMatchObject({ next_task: moved, open_tasks: 1 })
  })

  it.each([
    [
      'a step of another issue',
      (o: number, s: number) => [
        { task: o, becomes: 'done' },
        { task: s, becomes: 'done' },
      ],
      'steps.0.task',
    ],
    [
      'a step twice',
      (_: number, s: number) => [
        { task: s, becomes: 'done' },
        { task: s, becomes: 'done' },
      ],
      'steps.1.task',
    ],
    ['no word on a step', (_: number, s: number) => [{ task: s }], 'steps.0.becomes'],
    ['no reason', (_: number, s: number) => [{ task: s, becomes: 'dropped' }], 'steps.0.reason'],
    ['no issue to move to', (_: number, s: number) => [{ task: s, becomes: 'moved' }], 'steps.0.issue'],
    [
      'an issue that is not visible',
      (_: number, s: number) => [{ task: s, becomes: 'moved', issue: 2147483646 }],
      'steps.0.issue',
    ],
  ])('refuses %s, and changes nothing', async (_, steps, field) => {
    const { issue, other } = await twoIssues()
    const [foreign, own] = [await step(other, 'Elsewhere'), await step(issue, 'Here')]
    const { status, body } = await advocate(
      'issues.close',
      on(issue, { reasons: [1], steps: steps(foreign, own) }),
    )
    expect([status, Object.keys(body)]).toEqual([400, [field]])
    expect([(await task(foreign)).state, (await task(own)).state, (await read(issue)).is_opened]).toEqual([
      'To do',
      'To do',
      true,
    ])
  })

  it('stores the date of death on the client, and refuses one before the birth', async () => {
    const { issue, client } = await twoIssues()
    await sql`update clients set dob = '1950-06-04' where id = ${client}`.execute(context.db)
    const close = (date_of_death: string) =>
      advocate('issues.close', on(issue, { reasons: [DIED], date_of_death }))
    expect((await close('1949-01-01')).body).toHaveProperty('date_of_death')
    expect((await read(issue)).is_opened).toBe(true)
    expect((await close('2026-02-03')).status).toBe(200)
    expect((await advocate('clients.read', on(client))).body.dod).toBe('2026-02-03')
  })

  it('is undone with all its effects by the person who closed it', async () => {
    const { issue, other, client } = await twoIssues()
    const [done, dropped, moved] = [
      await step(issue, 'One'),
      await step(issue, 'Two'),
      await step(issue, 'Three'),
    ]
    const steps = [
      { task: done, becomes: 'done' },
      { task: dropped, becomes: 'dropped', reason: 'Not now' },
      { task: moved, becomes: 'moved', issue: other },
    ]
    const body = {
      reasons: [DIED],
      date_of_death: '2026-02-03',
      steps,
      actual_outcomes: [{ details: 'Died' }],
    }
    await advocate('issues.close', on(issue, body))
    expect((await manager('issues.undoClose', on(issue))).status).toBe(409)
    expect((await advocate('issues.undoClose', on(issue))).status).toBe(200)
    expect(await read(issue)).toMatchObject({
      is_opened: true,
      close_date: null,
      close_reasons: [],
      actual_outcomes: [],
      open_tasks: 3,
    })
    expect((await task(moved)).issue).toBe(issue)
    expect((await advocate('clients.read', on(client))).body.dod).toBeNull()
    expect((await advocate('issues.undoClose', on(issue))).status).toBe(409)
  })

  it('is not undone once something of it was changed', async () => {
    const { issue } = await twoIssues()
    const done = await step(issue, 'One')
    await advocate('issues.close', on(issue, { reasons: [1], steps: [{ task: done, becomes: 'done' }] }))
    await advocate('tasks.reopen', on(done))
    expect((await advocate('issues.undoClose', on(issue))).status).toBe(409)
    expect((await read(issue)).is_opened).toBe(false)
  })
})

describe('reopening an issue', () => {
  it('needs a reason, which stands in the chronology', async () => {
    const { issue } = await twoIssues()
    expect((await advocate('issues.reopen', on(issue, { reason: 'x' }))).status).toBe(400)
    await advocate('issues.close', on(issue, { reasons: [1], close_date: '2026-02-20' }))
    expect((await advocate('issues.reopen', on(issue, {}))).body).toHaveProperty('reason')
    const stranger = await context.as('stranger')
    expect((await stranger('issues.reopen', on(issue, { reason: 'Mine' }))).status).toBe(404)
    const { status, body } = await advocate('issues.reopen', on(issue, { reason: 'They rang again' }))
    expect([status, body.is_opened, body.close_date, body.close_reasons]).toEqual([200, true, null, []])
    const { data } = (await advocate('chronology.ofIssue', on(issue))).body
    const entry = data.find(({ action }: { action: string }) => action === 'reopen')
    expect(entry.title).toBe('Issue opened again')
    expect(entry.changes).toContainEqual({
      field: 'reason',
      label: 'Reason',
      from: '',
      to: 'They rang again',
    })
  })
})

describe('the step of an action', () => {
  it('that is not needed was not done, and the next change of the action does not open it again', async () => {
    const { issue } = await twoIssues()
    const contact = { type: 1, done_on: '2026-02-10', next_step: 'Ring', next_due: '2030-01-01' }
    const action = (await advocate('actions.addToIssue', on(issue, contact))).body.id
    const { next_task: id } = await read(issue)
    expect((await advocate('tasks.drop', on(id, { reason: 'They moved' }))).body.state).toBe('Not needed')
    await advocate('actions.update', on(action, { next_due: '2030-02-02' }))
    expect((await advocate('actions.read', on(action))).body.next_done_on).toBeNull()
    expect(await task(id)).toMatchObject({ state: 'Not needed', due: '2030-02-02' })
    expect((await advocate('tasks.drop', on(id, { reason: 'Again' }))).status).toBe(400)
    expect((await advocate('tasks.reopen', on(id))).body).toMatchObject({
      state: 'To do',
      dropped_reason: null,
    })
  })
})
