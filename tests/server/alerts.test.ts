import { sql } from 'kysely'
import { beforeAll, describe, expect, it } from 'vitest'
import { type Caller, type CallOptions, describeServer } from './context.ts'
import { createCase } from './newCase.ts'
import { PDF, upload } from './upload.ts'

const context = describeServer()
let advocate: Caller
let manager: Caller
let partner: Caller
let made: { id: number; client: number; issue: number }
beforeAll(async () => {
  advocate = await context.as('advocate')
  manager = await context.as('manager')
  partner = await context.as('partner')
  made = await createCase(advocate)
  await sql`update issues set advocate = ${advocate.id} where id = ${made.issue}`.execute(context.db)
})

const KINDS = [
  { calls: 'risks', path: (id: number) => `/risk/${id}/upload_file/`, label: 'Risk to staff' },
  {
    calls: 'communicationIssues',
    path: (id: number) => `/communication_issue/${id}/upload_file`,
    label: 'Do not leave voicemail',
  },
]

describe.each(KINDS)('$calls', ({ calls, path, label }) => {
  const add = async (body: object = {}, who = advocate) =>
    who(`${calls}.create`, { params: { id: made.client }, body: { type: 1, ...body } })
  const list = (who: Caller) => who(`${calls}.ofClient`, { params: { id: made.client } })

  it('are added, changed and removed by those who see the client, and by nobody else', async () => {
    const { status, body } = await add({ details: 'Ring first', review_date: '2026-01-01' })
    expect([status, body]).toEqual([
      201,
      expect.objectContaining({ client: made.client, type_label: label, is_overdue: true, version: 1 }),
    ])
    const params = { id: body.id }
    expect((await add({}, partner)).status).toBe(404)
    expect((await list(partner)).status).toBe(404)
    expect((await partner(`${calls}.update`, { params, body: { details: 'Mine' } })).status).toBe(404)
    expect((await upload(partner, path(body.id), 'a.pdf', PDF)).status).toBe(404)
    expect((await partner(`${calls}.remove`, { params })).status).toBe(404)
    const changed = await manager(`${calls}.update`, { params, body: { review_date: null } })
    expect(changed.body).toMatchObject({ details: 'Ring first', review_date: null, is_overdue: null })
    const { data, pagination } = (await list(manager)).body
    expect([data.map((row: { id: number }) => row.id), pagination.count]).toEqual([[body.id], 1])
    expect((await manager(`${calls}.remove`, { params })).status).toBe(204)
    expect((await manager(`${calls}.remove`, { params })).status).toBe(404)
    expect((await list(manager)).body.data).toEqual([])
  })

  it('carry a file that replaces the one before, and goes with them', async () => {
    const { id } = (await add()).body
    const download = async (file: number, who = manager) =>
      (await who('files.download', { params: { id: file } })).status
    const first = await upload(advocate, path(id), 'plan.pdf', PDF)
    expect([first.status, first.body.file_name]).toEqual([200, 'plan.pdf'])
    const second = await upload(manager, path(id), 'newer.txt', 'Newer')
    expect(second.body).toMatchObject({ file_name: 'newer.txt', version: 3 })
    expect([await download(first.body.file), await download(second.body.file)]).toEqual([404, 200])
    expect(await download(second.body.file, partner)).toBe(404)
    await advocate(`${calls}.remove`, { params: { id } })
    expect(await download(second.body.file)).toBe(404)
  })

  it('keep one file however many are sent at once, and are removed once', async () => {
    const { id } = (await add()).body
    const names = ['a.txt', 'b.txt', 'c.txt']
    const replies = await Promise.all(names.map((name) => upload(advocate, path(id), name, name)))
    expect(replies.map(({ body }) => body.version).sort()).toEqual([2, 3, 4])
    const { body: last } = replies.find(({ body }) => body.version === 4)!
    const { rows } =
      await sql`select id from files where id = any(${replies.map(({ body }) => body.file)}::int[])`.execute(
        context.db,
      )
    expect(rows).toEqual([{ id: last.file }])
    const removals = await Promise.all([1, 2].map(() => advocate(`${calls}.remove`, { params: { id } })))
    expect(removals.map(({ status }) => status).sort()).toEqual([204, 404])
  })

  it('take an uploaded file when they are added, but nobody else’s and none that is not there', async () => {
    const mine = (await upload(advocate, '/api/files', 'mine.txt', 'mine')).body.id
    const theirs = (await upload(partner, '/api/files', 'theirs.txt', 'theirs')).body.id
    for (const file of [theirs, 999_999]) {
      const refused = await add({ file })
      expect([refused.status, refused.body]).toEqual([400, { file: ['File: this file cannot be used here'] }])
    }
    const { status, body } = await add({ file: mine })
    expect([status, body.file_name]).toEqual([201, 'mine.txt'])
    const taken = await add({ file: mine })
    expect([taken.status, Object.keys(taken.body)]).toEqual([400, ['file']])
    const changed = await advocate(`${calls}.update`, { params: { id: body.id }, body: { file: theirs } })
    expect([changed.status, Object.keys(changed.body)]).toEqual([400, ['file']])
    for (const { id } of (await list(advocate)).body.data)
      await advocate(`${calls}.remove`, { params: { id } })
  })

  it('need a type that there is', async () => {
    expect(Object.keys((await add({ type: undefined })).body)).toEqual(['type'])
    expect(Object.keys((await add({ type: 999 })).body)).toEqual(['type'])
  })
})

describe('the alerts of a client', () => {
  const alerts = async (who = advocate) => (await who('clients.alerts', { params: { id: made.client } })).body
  const kinds = async () => (await alerts()).data.map((row: { kind: string }) => row.kind)
  const answer = (answers: object) =>
    advocate('issues.update', { params: { id: made.issue }, body: { answers } })

  it('are the risks, communication issues and open safeguarding concerns', async () => {
    expect(await kinds()).toEqual([])
    const params = { id: made.client }
    const risk = (await advocate('risks.create', { params, body: { type: 1, review_date: '2026-01-01' } }))
      .body
    await advocate('communicationIssues.create', { params, body: { type: 1 } })
    const concern = { sfg_concern: 'yes', sfg_category: [1], sfg_dsl_level: 1 }
    expect((await answer(concern)).status).toBe(200)
    const { data, pagination } = await alerts()
    expect(data).toMatchObject([
      { kind: 'Alert', label: 'Open safeguarding concern', case: made.id, issue: made.issue },
      { kind: 'Communication', label: 'Do not leave voicemail' },
      { kind: 'Risk', label: 'Risk to staff', is_overdue: true },
    ])
    expect(pagination.count).toBe(3)
    await advocate('risks.remove', { params: { id: risk.id } })
    expect(await kinds()).toEqual(['Alert', 'Communication'])
  })

  /** A call of the manager that a hold refuses, made again with a pass. */
  const passing = async (name: string, options: CallOptions) => {
    const { hold } = (await manager(name, options)).body
    await manager('automations.pass', { params: { id: hold }, body: { reason: 'Dealt with elsewhere' } })
    return manager(name, options)
  }

  it('hold a concern until it has an outcome, also once its issue is closed, but not while it is retired', async () => {
    const params = { id: made.issue }
    await answer({ sfg_ooc: 1 })
    expect(await kinds()).toEqual(['Communication'])
    await answer({ sfg_ooc: null })
    expect(await kinds()).toEqual(['Alert', 'Communication'])
    expect((await passing('issues.retire', { params })).status).toBe(200)
    expect(await kinds()).toEqual(['Communication'])
    await advocate('issues.unretire', { params })
    expect(await kinds()).toEqual(['Alert', 'Communication'])
    expect((await passing('issues.close', { params, body: { reasons: [1] } })).status).toBe(200)
    expect(await kinds()).toEqual(['Alert', 'Communication'])
  })

  it('name the case and the issue of a concern only to those who may see the issue', async () => {
    const own = await createCase(advocate)
    await sql`update issues set advocate = ${advocate.id} where id = ${own.issue}`.execute(context.db)
    const concern = { sfg_concern: 'yes', sfg_category: [1], sfg_dsl_level: 1 }
    const { body: issue } = await advocate('issues.update', {
      params: { id: own.issue },
      body: { answers: concern },
    })
    const { issue_type, start_date, answers } = issue
    const added = await manager('cases.addIssue', {
      params: { id: own.id },
      body: { issue_type, start_date, answers: { ...answers, sfg_concern: 'no' }, advocate: partner.id },
    })
    expect(added.status).toBe(201)
    const concerns = async (who: Caller) =>
      (await who('clients.alerts', { params: { id: own.client } })).body.data
    const kind = 'Alert'
    expect(await concerns(advocate)).toMatchObject([{ kind, case: own.id, issue: own.issue }])
    expect(await concerns(partner)).toMatchObject([{ kind, case: null, issue: null, id: 'automation-1' }])
  })

  it('are hidden from people who may not see the client', async () => {
    const params = { id: made.client }
    for (const name of ['clients.alerts', 'clients.signposts', 'chronology.ofClient', 'actions.ofClient'])
      expect([name, (await partner(name, { params })).status]).toEqual([name, 404])
  })
})
