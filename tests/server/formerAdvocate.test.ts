import { sql } from 'kysely'
import { beforeAll, expect, it } from 'vitest'
import { type Caller, describeServer } from './context.ts'
import { createCase } from './newCase.ts'
import { upload } from './upload.ts'

const context = describeServer()
let admin: Caller
let advocate: Caller
let volunteer: Caller
beforeAll(async () => {
  admin = await context.as('admin')
  advocate = await context.as('advocate')
  volunteer = await context.as('volunteer')
})

/** A case of the advocate that somebody else registered. */
async function caseOfAdvocate() {
  const made = await createCase(volunteer)
  await sql`update issues set advocate = ${advocate.id}, created_by = null where id = ${made.issue}`.execute(
    context.db,
  )
  await sql`update cases set created_by = null where id = ${made.id}`.execute(context.db)
  await sql`update clients set created_by = null where id = ${made.client}`.execute(context.db)
  return made
}
const on = (id: number, body?: object) => ({ params: { id }, ...(body && { body }) })

it('a former advocate sees no longer what they once wrote on the issue, and keeps their hours', async () => {
  const { id, issue, client } = await caseOfAdvocate()
  const step = { title: 'Ring the ward', due: '2030-03-01' }
  const task = (await advocate('tasks.create', { body: { ...step, issue } })).body.id
  const own = (await advocate('tasks.create', { body: step })).body.id
  const contact = { type: 1, done_on: '2026-11-02', time_taken: 5400, notes: 'Met the family' }
  const action = (await advocate('actions.addToIssue', on(issue, contact))).body.id
  const onCase = (await advocate('actions.addToCase', on(id, contact))).body.id
  const letter = (await upload(advocate, `/issue/${issue}/file/`, 'letter.txt', 'words')).body
  const signpost = await sql<{ id: number }>`insert into signposts (client, "case", sp_org, created_by)
    values (${client}, ${id}, 1, ${advocate.id}) returning id`.execute(context.db)
  const statuses = async () => {
    const reads: [string, number][] = [
      ['issues.read', issue],
      ['tasks.read', task],
      ['actions.read', action],
      ['actions.read', onCase],
      ['files.download', letter.file],
      ['signposts.read', signpost.rows[0].id],
      ['tasks.read', own],
    ]
    const found: number[] = []
    for (const [call, one] of reads) found.push((await advocate(call, on(one))).status)
    return found
  }
  expect(await statuses()).toEqual([200, 200, 200, 200, 200, 200, 200])
  const before = await hours()

  await admin('staff.handOver', { params: { id: advocate.id }, body: { advocate: volunteer.id } })
  expect(await statuses()).toEqual([404, 404, 404, 404, 404, 404, 200])
  const tasks = (await advocate('tasks.list', { query: { page_size: 500 } })).body.data
  expect(tasks.map((row: { id: number }) => row.id)).toEqual([own])
  expect(await hours()).toEqual(before)
  expect((await volunteer('tasks.read', on(task))).status).toBe(200)
})

it('rows of hours of an issue that somebody sees no longer have no client and lead nowhere', async () => {
  const { issue, client, id } = await caseOfAdvocate()
  const contact = { type: 1, done_on: '2026-11-03', time_taken: 1200 }
  const { id: action } = (await advocate('actions.addToIssue', on(issue, contact))).body
  await sql`update staff set groups = '{4,2}' where id = ${advocate.id}`.execute(context.db)
  const row = async () => {
    const { body } = await advocate('reports.workRows', {
      query: { start: '2026-11-01', end: '2026-11-30', page_size: 500 },
    })
    return body.data.find((one: { id: number }) => one.id === action)
  }
  expect(await row()).toMatchObject({ time_taken: 1200, client, case: id })
  await sql`update issues set advocate = (select id from staff where username = 'stranger') where id = ${issue}`.execute(
    context.db,
  )
  expect(await row()).toMatchObject({ time_taken: 1200, client: null, case: null, action_type: 1 })
  await sql`update staff set groups = '{4}' where id = ${advocate.id}`.execute(context.db)
})

/** The advocate's hours, as their own figures of time say. */
async function hours() {
  const { status, body } = await advocate('reports.ownTime', {
    query: { start: '2026-11-01', end: '2026-11-30' },
  })
  expect(status).toBe(200)
  return body
}
