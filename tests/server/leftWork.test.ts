import { sql } from 'kysely'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type Caller, describeServer, PASSWORD } from './context.ts'
import { createCase, newCase } from './newCase.ts'

const context = describeServer()
let admin: Caller
let manager: Caller
let partnerManager: Caller
let hubManager: Caller
let volunteer: Caller
/** Who leaves. */
let advocate: Caller
let made: { id: number; client: number; issue: number }
let referral: number
beforeAll(async () => {
  admin = await context.as('admin')
  manager = await context.as('manager')
  partnerManager = await context.as('partnermanager')
  hubManager = await context.as('hubmanager')
  volunteer = await context.as('volunteer')
  advocate = await context.as('advocate')
  const issue = { ...((await newCase(advocate)).issue as object), advocate: advocate.id }
  made = await createCase(advocate, 1, { issue })
  await advocate('tasks.create', { body: { title: 'Ring', due: '2030-01-01', issue: made.issue } })
  await advocate('tasks.create', { body: { title: 'Write', due: '2030-01-02', case: made.id } })
  await advocate('drafts.create', { body: { kind: 'case', payload: { client: { first_name: 'Ann' } } } })
  const { rows } = await sql<{
    id: number
  }>`insert into referral_requests (hub, from_hub, service, case_type, taken_by, person, status)
    values (1, 2, 1, 1, ${advocate.id}, '{"first_name": "Bo"}', 1) returning id`.execute(context.db)
  referral = rows[0].id
})
beforeEach(async () => {
  await sql`update staff set status = 1 where id = ${advocate.id}`.execute(context.db)
})

const setStatus = (status: number, more: object = {}) =>
  admin('staff.edit', { params: { id: advocate.id }, body: { status, ...more } })
const left = async (who: Caller, query: object = {}): Promise<{ kind: string; title: string }[]> =>
  (await who('staff.leftWork', { query: { page_size: 100, ...query } })).body.data
const kinds = async (who: Caller) => (await left(who)).map(({ kind }) => kind).sort()

describe('a person who leaves', () => {
  it.each([
    [2, 'left'],
    [3, 'waiting'],
  ])('is out at once, status %i, and the reply has the numbers of what is %s', async (status, word) => {
    const { status: code, body } = await setStatus(status)
    expect([code, body.status]).toEqual([200, status])
    expect(body.left_work).toEqual({ issues: 1, tasks: 1, referrals: 1, drafts: 1, people: 0 })
    expect(body.left_words).toBe(`1 open issue, 1 task, 1 referral and 1 draft ${word}`)
    expect(body.left_page).toBe(`/advocate/${advocate.id}/hand-over`)
    const { rows } = await sql`select from session where staff = ${advocate.id}`.execute(context.db)
    expect(rows).toEqual([])
    const login = await context
      .as()
      .then((nobody) => nobody('auth.login', { body: { username: 'advocate', password: PASSWORD } }))
    expect(login.status).toBe(401)
  })

  it('leaves nothing while at work or on leave', async () => {
    for (const status of [4, 1]) {
      const { body } = await setStatus(status)
      expect([body.left_work, body.left_words, body.left_page]).toEqual([null, null, null])
      expect(await left(admin)).toEqual([])
    }
  })
})

describe('work left behind', () => {
  it('is listed for administrators and for those who see it, and for nobody else', async () => {
    await setStatus(2)
    expect(await kinds(admin)).toEqual(['draft', 'issue', 'referral', 'task'])
    // Referrals are the work of hubs.
    expect(await kinds(manager)).toEqual(['draft', 'issue', 'task'])
    expect(await kinds(partnerManager)).toEqual([])
    expect(await kinds(hubManager)).toEqual(['referral'])
    expect((await volunteer('staff.leftWork')).status).toBe(403)
  })

  it('has the way to each piece, and says nothing of the content of a draft', async () => {
    await setStatus(2)
    const rows = await left(admin)
    expect(rows.find(({ kind }) => kind === 'issue')).toMatchObject({
      page: `/cases/${made.id}/issues/${made.issue}/details`,
      staff: advocate.id,
      staff_name: 'advocate Example',
      staff_status: 2,
      steps: 1,
    })
    expect(rows.find(({ kind }) => kind === 'referral')).toMatchObject({
      page: `/dashboard/referral-requests/${referral}`,
    })
    const draft = rows.find(({ kind }) => kind === 'draft')
    expect(JSON.stringify(draft)).not.toMatch(/Ann/)
    expect(draft?.title).toMatch(/^Draft, kept until \d+ \w+ \d{4}$/)
    expect((await left(admin, { kind: 'task' })).map(({ title }) => title)).toEqual(['Write'])
    expect(await left(admin, { staff: volunteer.id })).toEqual([])
  })

  it('is gone from the list once it is handed over, its steps too', async () => {
    await setStatus(2)
    await admin('staff.handOver', { params: { id: advocate.id }, body: { advocate: volunteer.id } })
    expect(await kinds(manager)).toEqual(['draft', 'task'])
    const [task] = (await left(manager, { kind: 'task' })) as unknown as { task: number }[]
    await manager('tasks.update', { params: { id: task.task }, body: { assignee: volunteer.id } })
    expect(await kinds(manager)).toEqual(['draft'])
  })
})

describe('a manager who leaves', () => {
  it('is counted as who leads people', async () => {
    const { body } = await admin('staff.edit', { params: { id: manager.id }, body: { status: 3 } })
    expect(body.left_work.people).toBe(2)
    expect(body.left_words).toMatch(/2 people whom they lead waiting$/)
    await admin('staff.edit', { params: { id: manager.id }, body: { status: 1 } })
  })
})
