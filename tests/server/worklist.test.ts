import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Db, openDatabase } from '../../src/server/core/db.ts'
import { type Caller, describeServer, type Reply } from './context.ts'
import { demoDatabase } from './database.ts'
import { createCase } from './newCase.ts'

const context = describeServer()
let advocate: Caller
let manager: Caller
beforeAll(async () => {
  // Steps and issues only; tests/server/deadlines.test.ts has deadlines.
  await sql`update case_types set deadlines = '[]', version = version + 1`.execute(context.db)
  advocate = await context.as('advocate')
  manager = await context.as('manager')
})

type Row = Record<string, unknown>
const worklist = async (who: Caller, query: object = {}): Promise<Reply['body']> =>
  (await who('worklist.list', { query: { page_size: 500, ...query } })).body
const day = async (days: number) =>
  (await sql<{ day: string }>`select (current_date + ${days}::int)::text as day`.execute(context.db)).rows[0]
    .day
const add = async (who: Caller, days: number, body: object = {}) =>
  (await who('tasks.create', { body: { title: 'Ring', due: await day(days), ...body } })).body

describe('the worklist of an advocate', () => {
  it('has every next step of each open issue, the issues without one, and the tasks that are on none of them, by their day', async () => {
    const [late, none, now] = [await caseOf(advocate), await caseOf(advocate), await caseOf(advocate)]
    const other = await caseOf(manager)
    const closed = await caseOf(advocate)
    await sql`update issues set is_opened = false, close_date = current_date where id = ${closed.issue}`.execute(
      context.db,
    )
    const first = await add(advocate, -3, { issue: late.issue, title: 'Visit' })
    const later = await add(advocate, 9, { issue: late.issue, title: 'Write' })
    const today = await add(advocate, 0, { issue: now.issue })
    await add(advocate, -1, { issue: closed.issue })
    const own = await add(advocate, -2)
    const given = await add(manager, 60, { issue: other.issue, title: 'Look into it' })
    await sql`update tasks set assignee = ${advocate.id} where id = ${given.id}`.execute(context.db)
    const { data, pagination, groups, chips, issues } = await worklist(advocate)
    expect(data.map(({ id, due_group, next_step }: Row) => [id, due_group, next_step])).toEqual([
      [-first.id, 'overdue', 'Visit'],
      [-own.id, 'overdue', 'Ring'],
      [-today.id, 'today', 'Ring'],
      [-later.id, 'later', 'Write'],
      [-given.id, 'later', 'Look into it'],
      [none.issue, 'none', null],
    ])
    expect(data[0]).toMatchObject({
      task: first.id,
      case: late.id,
      client: late.client,
      service_short: 'IMCA',
    })
    expect(pagination.count).toBe(6)
    expect(groups).toEqual({ overdue: 2, today: 1, week: 0, later: 2, none: 1 })
    expect(chips).toMatchObject({ all: 6, overdue: 2, today: 1, week: 0, urgent: 0 })
    expect(issues).toBe(4)
    expect((await worklist(advocate, { due: 'later' })).issues).toBe(2)
  })

  it('keeps the steps of an issue next to each other within their group, by their day', async () => {
    const [one, two] = [await caseOf(advocate), await caseOf(advocate)]
    const add3 = async (issue: number, days: number) => -(await add(advocate, days, { issue })).id
    const ids = [await add3(one.issue, 60), await add3(two.issue, 61), await add3(one.issue, 90)]
    const { data } = await worklist(advocate, { due: 'later' })
    const shown = data.map(({ id }: Row) => id).filter((id: number) => ids.includes(id))
    expect(shown).toEqual([ids[0], ids[2], ids[1]])
  })

  it('shows a step on one of their issues that somebody else is to do to both, once each', async () => {
    const { issue } = await caseOf(advocate)
    const { id } = await add(advocate, 4, { issue })
    await sql`update tasks set assignee = ${manager.id} where id = ${id}`.execute(context.db)
    const rows = async (who: Caller) => (await worklist(who)).data.filter((row: Row) => row.task === id)
    expect(await rows(advocate)).toEqual([expect.objectContaining({ assignee_name: expect.any(String) })])
    expect(await rows(manager)).toEqual([expect.objectContaining({ assignee_name: null })])
  })

  it('shows the steps that are left once one is done, and the issue itself after the last', async () => {
    const { issue } = await caseOf(advocate)
    const [soon, late] = [
      await add(advocate, 1, { issue }),
      await add(advocate, 50, { issue, title: 'Write' }),
    ]
    const rows = async () =>
      (await worklist(advocate)).data.filter((row: Row) => row.issue === issue).map(({ id }: Row) => id)
    const done = (id: number) => advocate('tasks.complete', { params: { id } })
    expect([...(await rows())].sort()).toEqual([-soon.id, -late.id].sort())
    await done(soon.id)
    expect(await rows()).toEqual([-late.id])
    await done(late.id)
    expect(await rows()).toEqual([issue])
    await advocate('tasks.reopen', { params: { id: soon.id } })
    expect(await rows()).toEqual([-soon.id])
  })

  it('counts each quick filter under the other filters, and the groups under all of them', async () => {
    const { client } = await caseOf(advocate)
    const all = await worklist(advocate)
    const due = await worklist(advocate, { due: 'overdue' })
    expect(due.chips).toEqual(all.chips)
    expect(due.groups).toEqual({ overdue: all.groups.overdue, today: 0, week: 0, later: 0, none: 0 })
    const one = await worklist(advocate, { client })
    expect([one.pagination.count, one.chips.all, one.groups.none]).toEqual([1, 1, 1])
  })

  it('says which issues are new: not opened since they were assigned, or assigned within a week', async () => {
    const { issue } = await caseOf(null)
    await manager('issues.assign', { params: { id: issue }, body: { advocate: advocate.id } })
    const isNew = async () => (await worklist(advocate)).data.find(({ id }: Row) => id === issue)?.is_new
    const ago = (days: number, read: boolean) =>
      sql`update work_notices set created_at = now() - make_interval(days => ${days}::int),
        read_at = ${read ? sql`now()` : null} where issue = ${issue}`.execute(context.db)
    expect(await isNew()).toBe(true)
    await ago(8, false)
    expect(await isNew()).toBe(true)
    await ago(6, true)
    expect(await isNew()).toBe(true)
    await ago(8, true)
    expect(await isNew()).toBe(false)
    expect((await worklist(advocate, { new_to_me: true })).pagination.count).toBe(
      (await worklist(advocate)).chips.new,
    )
  })
})

describe('for every role', () => {
  it('the groups sum to all, each quick filter leaves as many as it says, and all rows are their own', async () => {
    for (const { demo } of context.contract.roles.roles) {
      const who = await context.as(demo)
      await add(who, -1)
      await add(who, 30)
      const { groups, chips, pagination, data } = await worklist(who)
      expect(sum(groups), demo).toBe(chips.all)
      expect([pagination.count, data.length], demo).toEqual([chips.all, chips.all])
      const filters = {
        ...DUE,
        urgent: { urgent: true },
        new: { new_to_me: true },
        quiet: { no_contact_days: 28 },
      }
      for (const [name, query] of Object.entries(filters)) {
        const filtered = await worklist(who, query)
        expect(filtered.pagination.count, `${demo} ${name}`).toBe(chips[name])
        expect(sum(filtered.groups), `${demo} ${name}`).toBe(chips[name])
      }
      for (const { id } of data)
        expect(
          (await who(id < 0 ? 'tasks.read' : 'issues.read', { params: { id: Math.abs(id) } })).status,
          demo,
        ).toBe(200)
    }
  })
})

describe('the demo', () => {
  let database: Awaited<ReturnType<typeof demoDatabase>>
  let db: Db
  let close: () => Promise<void>
  beforeAll(async () => {
    database = await demoDatabase()
    ;({ db, close } = openDatabase(database.url))
  })
  afterAll(async () => {
    await close?.()
    await database?.drop()
  })

  it('has some in every group for those who sign in, and reads them off indexes', async () => {
    // On a Saturday or Sunday hardly anything can be due later in the week.
    const groups = sql`select due_group from worklist_rows where staff = s.id and due_group <> 'week'`
    const { rows } = await sql<{
      username: string
      n: number
    }>`select username, (select count(distinct g.due_group)::int
      from (${groups}) g) as n from staff s where username in ('advocate', 'partner', 'hub') order by 1`.execute(
      db,
    )
    expect(rows.map(({ n }) => n)).toEqual([4, 4, 4])
    const plan = await db.transaction().execute(async (tx) => {
      // Of few rows all would be read at once.
      await sql`set local enable_seqscan = off`.execute(tx)
      return sql<{
        'QUERY PLAN': string
      }>`explain select * from worklist_rows r where staff = 6 and id = any('{1,-1}')`.execute(tx)
    })
    const text = plan.rows.map((row) => row['QUERY PLAN']).join('\n')
    expect(text).not.toContain('Seq Scan')
    expect(text).toContain('Index Cond')
  })
})

const DUE = { overdue: { due: 'overdue' }, today: { due: 'today' }, week: { due: 'week' } }

function sum(counts: Record<string, number>): number {
  return Object.values(counts).reduce((all, n) => all + n, 0)
}

/** A case with an open issue of somebody's, which no notice is about. */
async function caseOf(who: Caller | null) {
  const made = await createCase(advocate)
  await sql`update issues set advocate = ${who?.id ?? null} where id = ${made.issue}`.execute(context.db)
  return made
}
