import { sql } from 'kysely'
import { beforeAll, describe, expect, it } from 'vitest'
import xlsx from 'xlsx'
import { type Caller, describeServer } from './context.ts'
import { createCase, newCase } from './newCase.ts'

const context = describeServer()
let admin: Caller
let manager: Caller
let advocate: Caller
let volunteer: Caller
let made: { id: number; client: number; issue: number }
beforeAll(async () => {
  admin = await context.as('admin')
  manager = await context.as('manager')
  advocate = await context.as('advocate')
  volunteer = await context.as('volunteer')
  const issue = { ...((await newCase(advocate)).issue as object), advocate: advocate.id }
  made = await createCase(advocate, 1, { issue })
  await advocate('clients.update', { params: { id: made.client }, body: { dob: '1931-05-07' } })
})

const die = (dod: string | null, who = advocate, client = made.client) =>
  who('clients.update', { params: { id: client }, body: { dod } })
const deaths = async (who: Caller) => (await who('workNotices.counts')).body.deaths
const notices = async (who: Caller) =>
  (await who('workNotices.list', { query: { kind: 'client', seen: 'Unread' } })).body.data

describe('a date of death', () => {
  it('reaches everything that shows the person', async () => {
    await die('2026-06-03')
    const { id, client, issue } = made
    const params = (one: number) => ({ params: { id: one } })
    const { first_name, last_name, ...client_ } = (await advocate('clients.read', params(client))).body
    const quick = (await advocate('search.quick', { query: { term: String(client) } })).body
    const twins = (await advocate('clients.alike', { body: { first_name, last_name } })).body
    const numbered = (await advocate('search.numbered', { query: { number: issue } })).body
    const row = async (name: string) =>
      Object.values<{ client?: number; id: number }>(
        (await advocate(name, { query: { page_size: 50 } })).body.data,
      ).find((one) => (one.client ?? one.id) === client) as Record<string, unknown> | undefined
    expect([
      client_.dod,
      quick[0].dod,
      twins[0].dod,
      numbered.find((one: { kind: string }) => one.kind === 'issue').client_dod,
      (await row('clients.list'))?.dod,
      (await row('cases.list'))?.client_dod,
      (await row('worklist.list'))?.client_dod,
      (await row('issues.mine'))?.client_dod,
      (await advocate('cases.read', params(id))).body.client_dod,
      (await advocate('issues.read', params(issue))).body.client_dod,
    ]).toEqual(Array(10).fill('2026-06-03'))
  })

  it('is in an export beside a date of birth and instead of an active status', async () => {
    await die('2026-06-03')
    const path = '/api/clients/list?format=xlsx&columns=id,dob,status'
    const reply = await fetch(`${context.address}${path}`, { headers: admin.headers })
    const { data } = xlsx.read(Buffer.from(await reply.arrayBuffer())).Sheets
    const rows = xlsx.utils.sheet_to_json<unknown[]>(data, { header: 1 })
    expect(rows[0]).toEqual(['ID', 'Date of birth', 'Date of death', 'Status'])
    expect(rows.find(([one]) => one === made.client)?.[3]).toBe('Died')
  })

  it('is announced to the advocates of open issues, but not to who entered it', async () => {
    await die(null)
    const second = await createCase(advocate, 1, { client: made.client })
    await sql`update issues set advocate = ${volunteer.id} where id = ${second.issue}`.execute(context.db)
    await die('2026-06-03')
    expect([await deaths(volunteer), await deaths(advocate)]).toEqual([1, 0])
    const [notice] = await notices(volunteer)
    expect(notice).toMatchObject({
      title: expect.stringMatching(/ died on 3 June 2026$/),
      state: 'Died',
      page: `/clients/${made.client}/info`,
      created_by_name: 'advocate Example',
    })
    const { notice: unread } = (await volunteer('clients.read', { params: { id: made.client } })).body
    expect(unread).toBe(notice.id)
    await volunteer('workNotices.read', { params: { id: unread } })
    expect(await deaths(volunteer)).toBe(0)
    // A corrected date is news, one that is taken back leaves nothing.
    await die('2026-06-04')
    expect(await deaths(volunteer)).toBe(1)
    await die(null)
    expect(await deaths(volunteer)).toBe(0)
  })

  it('announces nothing when something else is saved', async () => {
    await die('2026-06-03')
    for (const { id } of await notices(volunteer)) await volunteer('workNotices.read', { params: { id } })
    await advocate('clients.update', {
      params: { id: made.client },
      body: { dod: '2026-06-03', notes: 'Buried' },
    })
    expect(await deaths(volunteer)).toBe(0)
  })
})

describe('the open work of somebody who died', () => {
  const openWork = async (who: Caller) =>
    (await who('clients.openWork', { params: { id: made.client } })).body

  it('is named with its numbers, and nothing is closed by itself', async () => {
    await die('2026-06-03')
    const task = async (body: object) =>
      (await advocate('tasks.create', { body: { title: 'Ring', due: '2030-01-01', ...body } })).body.id
    await task({ issue: made.issue })
    const onCase = await task({ case: made.id })
    const { words, data } = await openWork(manager)
    expect(words).toBe(
      'Died on 3 June 2026, at 95. 2 issues and 2 next steps are still open: close or hand over each.',
    )
    expect(data.map((row: { kind: string }) => row.kind).sort()).toEqual(['issue', 'issue', 'task'])
    expect(data.find((row: { issue: number }) => row.issue === made.issue)).toMatchObject({
      steps: 1,
      page: `/cases/${made.id}/issues/${made.issue}/details`,
    })
    await advocate('tasks.complete', { params: { id: onCase } })
    expect((await openWork(manager)).words).toMatch(/2 issues and 1 next step are/)
  })

  it('has only what the reader may see', async () => {
    expect((await openWork(volunteer)).data.map((row: { staff: number }) => row.staff)).toEqual([
      volunteer.id,
    ])
    expect(
      (await (await context.as('stranger'))('clients.openWork', { params: { id: made.client } })).status,
    ).toBe(404)
  })
})
