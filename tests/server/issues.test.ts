import { sql } from 'kysely'
import { beforeAll, describe, expect, it } from 'vitest'
import { type Caller, describeServer } from './context.ts'
import { createCase } from './newCase.ts'
import { upload } from './upload.ts'

const context = describeServer()
let advocate: Caller
let partner: Caller
let made: { id: number; client: number; issue: number }
let fresh: Record<string, unknown>
beforeAll(async () => {
  advocate = await context.as('advocate')
  partner = await context.as('partner')
  made = await createCase(advocate)
  await sql`update issues set advocate = ${advocate.id} where id = ${made.issue}`.execute(context.db)
  const { issue_type, start_date, answers } = (await advocate('issues.read', { params: { id: made.issue } }))
    .body
  fresh = { issue_type, start_date, answers }
})

const add = (body: object, who = advocate) => who('cases.addIssue', { params: { id: made.id }, body })
const issues = async () => (await advocate('cases.issues', { params: { id: made.id } })).body

describe('a further issue of a case', () => {
  it('belongs to the case, its contract and service, and is answered', async () => {
    const { status, body } = await add({ ...fresh, advocate: advocate.id })
    expect([status, body]).toEqual([
      201,
      expect.objectContaining({
        ...fresh,
        case: made.id,
        client: made.client,
        service: 1,
        advocate: advocate.id,
        is_opened: true,
        invalid_fields: [],
        version: 1,
      }),
    ])
    const { data, pagination } = await issues()
    expect([data.map((row: { id: number }) => row.id), pagination.count]).toEqual([[body.id, made.issue], 2])
    expect((await advocate('cases.read', { params: { id: made.id } })).body.open_issues).toBe(2)
    expect((await advocate('issues.monitoring', { params: { id: body.id } })).status).toBe(200)
  })

  it('is validated like the wizard’s: every error by its path, and nothing is stored', async () => {
    const { count } = (await issues()).pagination
    const { summary: _, ...rest } = fresh.answers as Record<string, unknown>
    const { status, body } = await add({ start_date: '2099-01-01', answers: rest })
    expect([status, Object.keys(body).sort()]).toEqual([400, ['issue_type', 'start_date']])
    const answers = await add({ ...fresh, answers: { ...rest, smt_type: 'nonsense', capacity_date: 'soon' } })
    expect([answers.status, Object.keys(answers.body).sort()]).toEqual([
      400,
      expect.arrayContaining(['answers.smt_type', 'answers.summary']),
    ])
    expect((await add({ ...fresh, answers: [] })).status).toBe(400)
    expect((await add({ ...fresh, answers: 'none' })).status).toBe(400)
    expect(Object.keys((await add({ ...fresh, nonsense: 1 })).body)).toEqual(['nonsense'])
    expect((await issues()).pagination.count).toBe(count)
  })

  it('is refused where the case is retired or foreign', async () => {
    expect((await add(fresh, partner)).status).toBe(404)
    expect((await add(fresh, await context.as('commissioner'))).status).toBe(404)
    await advocate('cases.retire', { params: { id: made.id } })
    const refused = await add(fresh)
    expect([refused.status, refused.body]).toEqual([400, { case: ['This case is retired'] }])
    await advocate('cases.unretire', { params: { id: made.id } })
  })

  it('takes outcomes along, tidied', async () => {
    const { body } = await add({
      ...fresh,
      desired_outcomes: [{ row: 'a', details: 'To stay' }, { row: 'b' }],
    })
    expect(body.desired_outcomes).toEqual([{ row: 'a', details: 'To stay', date: expect.any(String) }])
  })
})

describe('an issue that is assigned to somebody else', () => {
  it('is theirs, and is answered once more to the manager who assigned it', async () => {
    const [manager, advocate, partner] = [
      await context.as('manager'),
      await context.as('advocate'),
      await context.as('partner'),
    ]
    const { issue } = await createCase(await context.as('admin'))
    await sql`update issues set advocate = ${advocate.id} where id = ${issue}`.execute(context.db)
    const params = { id: issue }
    const assigned = await manager('issues.assign', { params, body: { advocate: partner.id } })
    expect([assigned.status, assigned.body.advocate]).toEqual([200, partner.id])
    expect((await manager('issues.read', { params })).status).toBe(404)
    expect((await advocate('issues.read', { params })).status).toBe(404)
    expect((await partner('issues.read', { params })).status).toBe(200)
  })

  it('is not assigned by its form', async () => {
    const { issue } = await createCase(await context.as('admin'))
    const body = { advocate: (await context.as('partner')).id }
    const refused = await (await context.as('admin'))('issues.update', { params: { id: issue }, body })
    expect([refused.status, refused.body]).toEqual([400, { advocate: ['Advocate cannot be set here'] }])
  })
})

describe('several issues that are assigned at once', () => {
  const assign = async (who: string, body: object) =>
    (await context.as(who))('issues.assignSeveral', { body })
  const advocateOf = async (ids: number[]) => {
    const { rows } = await sql<{ advocate: number | null }>`select advocate from issues
      where id = any(${ids}::int[]) order by id`.execute(context.db)
    return rows.map((row) => row.advocate)
  }
  let open: number[]
  beforeAll(async () => {
    const admin = await context.as('admin')
    const cases = [await createCase(admin), await createCase(admin), await createCase(admin)]
    open = cases.map(({ issue }) => issue)
    await sql`update issues set advocate = null where id = any(${open}::int[])`.execute(context.db)
  })

  it.each([
    ['no issues', 400, []],
    ['a number below 1', 400, [0]],
    ['the largest number', 200, [2_147_483_647]],
    ['a larger number', 400, [2_147_483_648]],
    ['as many as are allowed', 200, Array.from({ length: 500 }, (_, i) => 2_000_000_000 + i)],
    ['one more', 400, Array.from({ length: 501 }, (_, i) => 2_000_000_000 + i)],
  ])('with %s are answered with status %i', async (_, status, issues) => {
    expect((await assign('manager', { issues, advocate: partner.id })).status).toBe(status)
  })

  it('all become theirs, each with its own event in the audit', async () => {
    const { status, body } = await assign('manager', { issues: [open[1], open[0]], advocate: partner.id })
    expect([status, body]).toEqual([
      200,
      {
        count: 2,
        words: '2 issues of 2 clients are assigned to partner Example',
        failed: [],
        undo: { issues: [...open.slice(0, 2)].sort((a, b) => a - b) },
      },
    ])
    expect(await advocateOf(open)).toEqual([partner.id, partner.id, null])
    const { rows } = await sql`select record from audit where action = 'assign' and entity = 'issue'
      and record = any(${open}::int[]) order by record`.execute(context.db)
    expect(rows).toEqual([{ record: open[0] }, { record: open[1] }])
  })

  it('name those that cannot be, and why, while the others are done', async () => {
    // One of another service, and one that the manager may not see.
    await sql`update issues set service = 4, contract = (select value from lookup where kind = 'contracts'
      order by value desc limit 1) where id = ${open[2]}`.execute(context.db)
    await sql`update issues set advocate = ${(await context.as('manager')).id} where id = ${open[2]}`.execute(
      context.db,
    )
    const { status, body } = await assign('manager', {
      issues: [open[0], open[2], made.issue],
      advocate: advocate.id,
    })
    expect([status, body]).toEqual([
      200,
      {
        count: 1,
        words: '1 issue of 1 client is assigned to advocate Example',
        undo: { issues: [made.issue] },
        failed: [
          { id: open[0], message: 'There is no such record, or you may not see it' },
          { id: open[2], message: expect.stringContaining('does not work on the service and contract') },
        ],
      },
    ])
    expect(await advocateOf([open[0], open[2]])).toEqual([partner.id, (await context.as('manager')).id])
    await sql`update issues set is_opened = false, close_date = current_date where id = ${open[2]}`.execute(
      context.db,
    )
    const closed = await assign('manager', { issues: [open[2]], advocate: advocate.id })
    expect(closed.body).toEqual({
      count: 0,
      words: '0 issues are assigned',
      undo: { issues: [] },
      failed: [{ id: open[2], message: 'This issue is closed already' }],
    })
  })

  it.each([
    [{ issues: [], advocate: 1 }, 'issues'],
    [{ issues: 'all', advocate: 1 }, 'issues'],
    [{ issues: [1.5], advocate: 1 }, 'issues'],
    [{ issues: Array.from({ length: 501 }, (_, i) => i + 1), advocate: 1 }, 'issues'],
    [{ issues: [1] }, 'advocate'],
    [{ issues: [1], advocate: 'somebody' }, 'advocate'],
  ])('are refused with %j, which names %s', async (content, field) => {
    const { status, body } = await assign('manager', content)
    expect([status, Object.keys(body)]).toEqual([400, [field]])
  })
})

describe('what an issue lacks before it is closed', () => {
  const missing = async (id: number, who = advocate) => who('issues.missing', { params: { id } })
  const ids = async (id: number) => (await missing(id)).body.map((one: { id: string }) => one.id)

  it('are answers, outcomes, next steps and what holds it', async () => {
    const { id } = (await add({ ...fresh, advocate: advocate.id })).body
    const params = { id }
    expect((await missing(id)).body).toEqual([
      { id: 'actual_outcomes', label: 'No actual outcome is recorded' },
      { id: 'ndti_outcomes', label: 'No outcome for the person (NDTi) is recorded' },
    ])
    const outcomes = { actual_outcomes: [{ details: 'Stayed' }], ndti_outcomes: [{ type: 1 }] }
    await advocate('issues.update', { params, body: outcomes })
    expect(await ids(id)).toEqual([])
    const step = { type: 1, done_on: '2026-02-10', next_step: 'Ring', next_due: '2026-02-20' }
    const action = (await advocate('actions.addToIssue', { params, body: step })).body
    const concern = { sfg_concern: 'yes', sfg_category: [1], sfg_dsl_level: 1 }
    await advocate('issues.update', { params, body: { answers: concern } })
    await sql`update issues set answers = answers - 'summary' where id = ${id}`.execute(context.db)
    expect(await ids(id)).toEqual(['answers.summary', 'next_due', expect.stringMatching(/^hold-/)])
    await advocate('actions.update', { params: { id: action.id }, body: { next_done_on: '2026-02-19' } })
    await advocate('issues.update', { params, body: { answers: { sfg_ooc: 1, summary: 'There' } } })
    expect(await ids(id), 'the step that the concern planned').toEqual(['next_due'])
    expect((await missing(id, partner)).status).toBe(404)
  })
})

describe('closing an issue', () => {
  it('by two people at once is done once', async () => {
    const { id } = (await add({ ...fresh, advocate: advocate.id })).body
    const close = () => advocate('issues.close', { params: { id }, body: { reasons: [1] } })
    const replies = await Promise.all([close(), close(), close()])
    expect(replies.map(({ status }) => status).sort()).toEqual([200, 400, 400])
    const { body } = await advocate('chronology.ofIssue', { params: { id } })
    expect(body.data.filter((entry: { action: string }) => entry.action === 'close')).toHaveLength(1)
  })
})

describe('deleting an issue', () => {
  const remove = (id: number, who = advocate) => who('issues.remove', { params: { id } })

  it('is done where nothing hangs on it', async () => {
    const { id } = (await add({ ...fresh, advocate: advocate.id })).body
    const { count } = (await issues()).pagination
    expect((await remove(id, partner)).status).toBe(404)
    expect((await remove(id)).status).toBe(204)
    expect((await remove(id)).status).toBe(404)
    expect((await issues()).pagination.count).toBe(count - 1)
  })

  it('is refused for the only one of a case, which would be found no more by who works on it', async () => {
    const other = await createCase(await context.as('manager'))
    await sql`update issues set advocate = ${advocate.id} where id = ${other.issue}`.execute(context.db)
    const refused = await remove(other.issue)
    expect([refused.status, refused.body.code]).toEqual([409, 'lastIssue'])
    expect(refused.body.message).toContain('only issue of its case')
    const mine = (await advocate('issues.mine', { query: { page_size: 100 } })).body.data
    expect(mine.some((row: { case: number }) => row.case === other.id)).toBe(true)
  })

  it('of the last two by two people at once leaves one', async () => {
    const other = await createCase(advocate)
    const body = { ...fresh, advocate: advocate.id }
    const { id } = (await advocate('cases.addIssue', { params: { id: other.id }, body })).body
    const replies = await Promise.all([remove(id), remove(other.issue)])
    expect(replies.map(({ status }) => status).sort()).toEqual([204, 409])
    expect((await advocate('cases.read', { params: { id: other.id } })).body.open_issues).toBe(1)
  })

  it.each([
    [
      'an action',
      (id: number) =>
        advocate('actions.addToIssue', { params: { id }, body: { type: 1, done_on: '2026-02-10' } }),
    ],
    ['a document', (id: number) => upload(advocate, `/issue/${id}/file/`, 'note.txt', 'words')],
  ])('is refused where %s hangs on it, and nothing is lost', async (_, hang) => {
    const { id } = (await add({ ...fresh, advocate: advocate.id })).body
    expect((await hang(id)).status).toBe(201)
    const refused = await remove(id)
    expect([refused.status, refused.body.code]).toEqual([409, 'inUse'])
    expect((await advocate('issues.read', { params: { id } })).status).toBe(200)
    const { data } = (await advocate('chronology.ofIssue', { params: { id } })).body
    expect(data.some((entry: { action: string }) => entry.action === 'remove')).toBe(false)
  })
})
