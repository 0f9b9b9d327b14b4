import { sql } from 'kysely'
import { beforeAll, describe, expect, it } from 'vitest'
import { type Caller, describeServer } from './context.ts'
import { createCase, newCase } from './newCase.ts'

const context = describeServer()
let advocate: Caller
let volunteer: Caller
let manager: Caller
let hubManager: Caller
let stranger: Caller
beforeAll(async () => {
  advocate = await context.as('advocate')
  volunteer = await context.as('volunteer')
  manager = await context.as('manager')
  hubManager = await context.as('hubmanager')
  stranger = await context.as('stranger')
})

const STEP = { title: 'Ring the ward', due: '2030-03-01' }

/** A case with an issue of somebody's. */
async function caseOf({ id }: Caller) {
  const made = await createCase(advocate, 1, { issue: { ...((await newCase(advocate)).issue as object) } })
  await sql`update issues set advocate = ${id}, created_by = null where id = ${made.issue}`.execute(
    context.db,
  )
  await sql`update cases set created_by = null where id = ${made.id}`.execute(context.db)
  await sql`update clients set created_by = null where id = ${made.client}`.execute(context.db)
  return made
}
const add = (who: Caller, body: object) => who('tasks.create', { body: { ...STEP, ...body } })
const read = async (who: Caller, id: number) => (await who('tasks.read', { params: { id } })).status
const on = (id: number, body?: object) => ({ params: { id }, ...(body && { body }) })

describe('a task', () => {
  it('belongs to the person who adds it, has the client of its issue, and is audited', async () => {
    const { issue, client, id: caseId } = await caseOf(advocate)
    const { status, body } = await add(advocate, { issue })
    expect(status).toBe(201)
    expect(body).toMatchObject({
      ...STEP,
      assignee: advocate.id,
      assignee_name: 'advocate Example',
      issue,
      case: caseId,
      client,
      is_done: false,
      version: 1,
    })
    const { rows } =
      await sql`select action, client, "case", issue from audit where entity = 'task' and record = ${body.id}`.execute(
        context.db,
      )
    expect(rows).toEqual([{ action: 'create', client, case: caseId, issue }])
  })

  it.each([
    ['no words', { title: ' ' }, 'title'],
    ['no day', { due: null }, 'due'],
    ['an issue that its author does not see', { issue: 999_999 }, 'issue'],
    ['a time at which it was done', { done_at: '2026-01-01T00:00:00Z' }, 'done_at'],
    ['an action', { action: 1 }, 'action'],
  ])('with %s is refused by name', async (_, body, field) => {
    const reply = await add(advocate, body)
    expect([reply.status, Object.keys(reply.body)]).toEqual([400, [field]])
  })

  it('is done once, can be taken up again, and both are in the audit', async () => {
    const { id } = (await add(advocate, {})).body
    const done = (await advocate('tasks.complete', on(id))).body
    expect(done).toMatchObject({ is_done: true, version: 2 })
    expect((await advocate('tasks.complete', on(id))).body).toEqual(done)
    expect((await advocate('tasks.reopen', on(id))).body).toMatchObject({ done_at: null, version: 3 })
    const { rows } =
      await sql`select action from audit where entity = 'task' and record = ${id} order by id`.execute(
        context.db,
      )
    expect(rows.map((row) => (row as { action: string }).action)).toEqual(['create', 'complete', 'reopen'])
  })

  it('that two people change at once is a conflict', async () => {
    const { issue } = await caseOf(advocate)
    const { id } = (await add(advocate, { issue })).body
    await manager('tasks.update', on(id, { version: 1, due: '2030-04-01' }))
    const late = await advocate('tasks.update', on(id, { version: 1, due: '2030-05-01' }))
    expect([late.status, late.body.fields.due.theirs]).toEqual([409, '2030-04-01'])
    expect((await advocate('tasks.update', on(id, { version: 1, title: 'Visit' }))).body).toMatchObject({
      title: 'Visit',
      due: '2030-04-01',
    })
  })
})

describe('whom a task is given to', () => {
  it('is themselves for staff, and anybody of theirs who sees its record for managers', async () => {
    const { issue } = await caseOf(advocate)
    const give = async (who: Caller, to: Caller, body: object = { issue }) => {
      const reply = await add(who, { ...body, assignee: to.id })
      return reply.status === 201 ? 'given' : reply.body.assignee?.[0]
    }
    expect(await give(advocate, advocate)).toBe('given')
    expect(await give(advocate, volunteer)).toBe('Assigned to must be yourself or nobody')
    expect(await give(manager, advocate)).toBe('given')
    expect(await give(manager, volunteer)).toBe('Assigned to must be somebody who sees its record')
    expect(await give(manager, volunteer, {})).toBe('given')
    expect(await give(manager, stranger, {})).toBe('Assigned to must be one of the choices')
    await sql`update staff set status = 3 where id = ${volunteer.id}`.execute(context.db)
    const suspended = await give(manager, volunteer, {})
    await sql`update staff set status = 1 where id = ${volunteer.id}`.execute(context.db)
    expect(suspended).toBe('Assigned to must be one of the choices')
  })

  it('is offered to managers among those whom they manage', async () => {
    const offered = async (who: Caller) =>
      (await who.raw('/staff_lookup/?managed=true')).body.map(({ value }: { value: number }) => value).sort()
    expect(await offered(manager)).toEqual([advocate.id, volunteer.id, manager.id].sort())
    expect(await offered(advocate)).toEqual([advocate.id])
  })

  it('is changed by managers only', async () => {
    const { id } = (await add(manager, { assignee: advocate.id })).body
    expect((await advocate('tasks.update', on(id, { assignee: volunteer.id }))).status).toBe(400)
    expect((await advocate('tasks.update', on(id, { assignee: advocate.id, title: 'Visit' }))).status).toBe(
      200,
    )
    expect((await manager('tasks.update', on(id, { assignee: volunteer.id }))).body.assignee).toBe(
      volunteer.id,
    )
  })

  it('goes with the issue to another advocate, where it was the one before', async () => {
    const { issue } = await caseOf(advocate)
    const [his, theirs, old] = [
      (await add(advocate, { issue })).body.id,
      (await add(manager, { issue })).body.id,
      (await add(advocate, { issue })).body.id,
    ]
    await advocate('tasks.complete', on(old))
    await manager('issues.assign', { params: { id: issue }, body: { advocate: volunteer.id } })
    const assignees = await Promise.all(
      [his, theirs, old].map(async (id) => (await manager('tasks.read', on(id))).body.assignee),
    )
    expect(assignees).toEqual([volunteer.id, manager.id, advocate.id])
  })
})

describe('who sees a task', () => {
  it('is its assignee, its creator and everybody who sees its issue', async () => {
    const { issue } = await caseOf(advocate)
    const ofIssue = (await add(advocate, { issue })).body.id
    const own = (await add(advocate, {})).body.id
    const given = (await add(manager, { assignee: advocate.id })).body.id
    const seen = async (who: Caller) =>
      Promise.all([ofIssue, own, given].map(async (id) => (await read(who, id)) === 200))
    expect(await seen(advocate)).toEqual([true, true, true])
    expect(await seen(manager)).toEqual([true, false, true])
    expect(await seen(volunteer)).toEqual([false, false, false])
    expect(await seen(await context.as('admin'))).toEqual([true, true, true])
    for (const who of [hubManager, stranger, await context.as('commissioner')])
      expect(await seen(who)).toEqual([false, false, false])
  })

  it('is everybody who sees its case or client, if it is on no issue', async () => {
    const { id: caseId, client, issue } = await caseOf(advocate)
    const ofCase = (await add(manager, { case: caseId })).body
    expect(ofCase).toMatchObject({ case: caseId, client, issue: null })
    const ofClient = (await add(manager, { client })).body.id
    const ofIssue = (await add(manager, { issue })).body.id
    const seen = async (who: Caller) =>
      Promise.all([ofCase.id, ofClient].map(async (id) => (await read(who, id)) === 200))
    expect([await seen(advocate), await seen(volunteer)]).toEqual([
      [true, true],
      [false, false],
    ])
    const ids = async (call: string, id: number) =>
      (await advocate(call, { params: { id }, query: { order_by: 'id', sort_order: 'asc' } })).body.data.map(
        (task: { id: number }) => task.id,
      )
    expect(await ids('tasks.ofCase', caseId)).toEqual([ofCase.id, ofIssue])
    expect(await ids('tasks.ofClient', client)).toEqual([ofCase.id, ofClient, ofIssue])
    const open = async () =>
      Promise.all(
        Object.entries({ cases: caseId, clients: client, issues: issue }).map(
          async ([calls, id]) => (await advocate(`${calls}.read`, { params: { id } })).body.open_tasks,
        ),
      )
    expect(await open()).toEqual([2, 3, 1])
    expect((await volunteer('tasks.ofCase', { params: { id: caseId } })).status).toBe(404)
    expect((await volunteer('tasks.ofClient', { params: { id: client } })).status).toBe(404)
    expect((await add(volunteer, { case: caseId })).body).toEqual({
      case: ['Case must be one that you may see'],
    })
    const { body } = await advocate('cases.read', { params: { id: caseId } })
    expect([body.next_task, body.next_step]).toEqual([ofIssue, STEP.title])
    await advocate('tasks.complete', on(ofIssue))
    expect(await open()).toEqual([1, 2, 0])
  })

  it('is also the line manager of its assignee, if they see its record', async () => {
    const given = (await add(manager, { assignee: volunteer.id })).body.id
    const own = (await add(volunteer, {})).body.id
    const of = async (who: Caller) => {
      const { status, body } = await who('tasks.ofStaff', { params: { id: volunteer.id } })
      return status === 200 ? body.data.map(({ id }: { id: number }) => id) : status
    }
    expect(await of(manager)).toContain(given)
    expect(await of(manager)).not.toContain(own)
    expect(await of(await context.as('admin'))).toEqual(expect.arrayContaining([given, own]))
    expect([await of(hubManager), await of(advocate)]).toEqual([404, 403])
  })

  it('is found in the list by what is done and by whose it is', async () => {
    const [todo, done] = [(await add(advocate, {})).body.id, (await add(advocate, {})).body.id]
    await advocate('tasks.complete', on(done))
    const found = async (query: object) =>
      (await advocate('tasks.list', { query: { page_size: 500, ...query } })).body.data.map(
        ({ id }: { id: number }) => id,
      )
    expect(await found({ state: 'Done' })).toContain(done)
    expect(await found({ state: 'Done' })).not.toContain(todo)
    expect(await found({ state: 'To do', assignee: advocate.id })).toContain(todo)
    expect(await found({ assignee: manager.id })).not.toContain(todo)
  })

  it('is in the list as in the record, for every role', async () => {
    const { roles } = context.contract.roles
    const all = await sql<{ id: number }>`select id from tasks order by id`.execute(context.db)
    for (const { demo } of roles) {
      const who = await context.as(demo)
      const { body } = await who('tasks.list', {
        query: { page_size: 500, order_by: 'id', sort_order: 'asc' },
      })
      const readable: number[] = []
      for (const { id } of all.rows) if ((await read(who, id)) === 200) readable.push(id)
      expect(body.data?.map(({ id }: { id: number }) => id) ?? body, demo).toEqual(readable)
    }
  })
})

describe('the next step of an action', () => {
  const act = async (who: Caller, issue: number, body: object) =>
    (
      await who('actions.addToIssue', {
        params: { id: issue },
        body: { type: 1, done_on: '2026-02-10', ...body },
      })
    ).body
  const tasksOf = async (issue: number) =>
    (await advocate('tasks.ofIssue', { params: { id: issue }, query: { order_by: 'id' } })).body.data

  it('is a task of the issue’s advocate, and is removed with its date', async () => {
    const { issue } = await caseOf(advocate)
    const action = await act(manager, issue, { next_step: 'Visit', next_due: '2026-03-01' })
    const [task] = await tasksOf(issue)
    expect(task).toMatchObject({
      title: 'Visit',
      due: '2026-03-01',
      action: action.id,
      assignee: advocate.id,
      created_by: manager.id,
    })
    const change = (body: object) => manager('actions.update', on(action.id, body))
    await change({ next_due: '2026-03-02', next_step: 'Ring' })
    expect(await tasksOf(issue)).toMatchObject([{ id: task.id, title: 'Ring', due: '2026-03-02' }])
    await change({ next_done_on: '2026-02-28' })
    const [done] = await tasksOf(issue)
    expect([done.is_done, done.done_at.slice(0, 10)]).toEqual([true, '2026-02-28'])
    await change({ next_due: null })
    expect(await tasksOf(issue)).toEqual([])
  })

  it('is what the task says: done, put off or in other words', async () => {
    const { issue } = await caseOf(advocate)
    const { id } = await act(advocate, issue, { next_step: 'Visit', next_due: '2026-03-01' })
    const [task] = await tasksOf(issue)
    const action = async () => {
      const { next_step, next_due, next_done_on } = (await advocate('actions.read', on(id))).body
      return [next_step, next_due, next_done_on]
    }
    await advocate('tasks.update', on(task.id, { due: '2026-04-01', title: 'Ring' }))
    expect(await action()).toEqual(['Ring', '2026-04-01', null])
    const today = (await sql<{ day: string }>`select current_date::text as day`.execute(context.db)).rows[0]
      .day
    await advocate('tasks.complete', on(task.id))
    expect(await action()).toEqual(['Ring', '2026-04-01', today])
    await advocate('tasks.reopen', on(task.id))
    expect(await action()).toEqual(['Ring', '2026-04-01', null])
  })

  it('of an issue is its earliest open task, whatever is done to its tasks', async () => {
    const { issue } = await caseOf(advocate)
    const random = numbers(7)
    for (let i = 0; i < 40; i++) {
      const tasks = await tasksOf(issue)
      const open = tasks.filter((task: { is_done: boolean }) => !task.is_done)
      const one = tasks[random(tasks.length)]?.id
      const due = `2026-05-0${1 + random(9)}`
      const operation = one === undefined ? 0 : random(5)
      if (operation === 0) await add(advocate, { issue, due, title: `Task ${i}` })
      if (operation === 1) await act(advocate, issue, { next_step: `Step ${i}`, next_due: due })
      if (operation === 2) await advocate('tasks.update', on(one, { due }))
      if (operation === 3) await advocate('tasks.complete', on(open[0]?.id ?? one))
      if (operation === 4) await advocate('tasks.reopen', on(one))
      const { rows } = await sql<{ title: string; due: string }>`select title, due::text from tasks
        where issue = ${issue} and done_at is null order by due, id limit 1`.execute(context.db)
      const { body } = await advocate('issues.read', on(issue))
      expect([body.next_step, body.next_due]).toEqual([rows[0]?.title ?? null, rows[0]?.due ?? null])
    }
  })
})

/** Whole numbers below a limit, the same ones every time. */
function numbers(seed: number) {
  let state = seed
  return (limit: number) => {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31
    return limit === 0 ? 0 : Math.floor(state / 65_536) % limit
  }
}
