import { sql } from 'kysely'
import { beforeAll, describe, expect, it } from 'vitest'
import { type Caller, describeServer, PASSWORD } from './context.ts'
import { createCase } from './newCase.ts'

const context = describeServer()
let admin: Caller
let advocate: Caller
beforeAll(async () => {
  admin = await context.as('admin')
  advocate = await context.as('advocate')
})

const labelOf = async (lookup: string, value: number) =>
  (await admin.raw(`/${lookup}/?id=${value}`)).body[0].label

const close = (issue: number) =>
  admin('issues.close', { params: { id: issue }, body: { reasons: [1], close_date: '2026-05-01' } })

describe('a case', () => {
  it('carries its case type with both metas and its service with its label', async () => {
    const { id } = await createCase(advocate)
    const { body: caseType } = await advocate('caseTypes.read', { params: { id: 1 } })
    const embedded = {
      service: { id: caseType.service, label: await labelOf('services_lookup', caseType.service) },
      case_type: { ...caseType, value: 1, label: expect.any(String), version: expect.any(Number) },
    }
    expect(caseType.case_meta.length * caseType.issue_meta.length).toBeGreaterThan(0)
    const read = await advocate('cases.read', { params: { id } })
    expect(read.body).toMatchObject(embedded)
    const saved = await advocate('cases.update', {
      params: { id },
      body: { version: read.body.version, answers: { ward: 'Elm' } },
    })
    expect([saved.status, saved.body]).toEqual([200, expect.objectContaining(embedded)])
    const late = await admin('cases.update', {
      params: { id },
      body: { version: read.body.version, answers: { ward: 'Oak' } },
    })
    expect([late.status, late.body.code, late.body.current]).toEqual([
      409,
      'conflict',
      expect.objectContaining({
        ...embedded,
        // Administrators alone read the tests.
        case_type: { ...embedded.case_type, tests: expect.any(Array) },
      }),
    ])
    const retired = await advocate('cases.retire', { params: { id } })
    expect(retired.body).toMatchObject({ ...embedded, status: 2 })
  })

  it('carries the metas of the version that is published, and takes neither in a body', async () => {
    const { id } = await createCase(advocate, 2).catch(() => createCase(admin, 2))
    const { body: before } = await admin('caseTypes.read', { params: { id: 2 } })
    const label = `${before.label} (new)`
    await admin('caseTypes.update', { params: { id: 2 }, body: { label, version: before.version } })
    const { body } = await admin('cases.read', { params: { id } })
    expect(body.case_type).toMatchObject({ label, version: before.version + 1 })
    const refused = await admin('cases.update', {
      params: { id },
      body: { service: { id: 1 }, case_type: 2 },
    })
    expect([refused.status, Object.keys(refused.body).sort()]).toEqual([400, ['case_type', 'service']])
  })
})

it('an issue carries the date of death of its case, and an update cannot set it', async () => {
  const { id, issue } = await createCase(advocate)
  const dodOf = async () => (await advocate('issues.read', { params: { id: issue } })).body.patient_dod
  expect(await dodOf()).toBeNull()
  await advocate('cases.update', { params: { id }, body: { patient_dod: '2026-03-04' } })
  expect(await dodOf()).toBe('2026-03-04')
  const refused = await advocate('issues.update', {
    params: { id: issue },
    body: { patient_dod: '2026-03-05' },
  })
  expect([refused.status, Object.keys(refused.body)]).toEqual([400, ['patient_dod']])
})

describe('a client', () => {
  it('lists open and closed cases, newest first, of those that the reader sees', async () => {
    const first = await createCase(advocate)
    const more = async (who: Caller) => createCase(who, 1, { client: first.client })
    const second = await more(advocate)
    const closed = await more(advocate)
    const foreign = await more(admin)
    const retired = await more(advocate)
    await close(closed.issue)
    await sql`update issues set advocate = ${admin.id} where id = ${foreign.issue}`.execute(context.db)
    await advocate('cases.retire', { params: { id: retired.id } })

    const read = async (who: Caller) =>
      (await who('clients.read', { params: { id: first.client } })).body as Record<string, { id: number }[]>
    const ids = async (who: Caller) => {
      const { open_cases, closed_cases } = await read(who)
      return [open_cases, closed_cases].map((list) => list.map(({ id }) => id))
    }
    expect(await ids(advocate)).toEqual([[second.id, first.id], [closed.id]])
    expect(await ids(admin)).toEqual([[foreign.id, second.id, first.id], [closed.id]])
    const { body: caseRecord } = await advocate('cases.read', { params: { id: closed.id } })
    expect((await read(advocate)).closed_cases).toEqual([
      {
        id: closed.id,
        case_type_label: caseRecord.case_type.label,
        service_label: caseRecord.service.label,
        status: 1,
        start_date: '2026-02-01',
      },
    ])
    const rowOf = async (who: Caller) =>
      (await who('clients.list', { query: { term: first.client } })).body.data[0]
    expect((await rowOf(advocate)).open_case_count).toBe(2)
    expect((await rowOf(admin)).open_case_count).toBe(3)
  })

  it('answers no order by what is computed for its reader', async () => {
    const { status, body } = await advocate('search.clients', {
      query: { order_by: 'open_case_count' },
      body: { term: 'a' },
    })
    expect([status, body]).toEqual([400, { order_by: ["no field 'open_case_count'"] }])
  })
})

describe('the current user', () => {
  const info = async (who: Caller) => (await who('auth.me')).body.notifications

  it('has lists of the issues assigned to them, and of invalid ones where their role checks these', async () => {
    const made = await createCase(advocate)
    const manager = await context.as('manager')
    const entry = { issue_id: made.issue, case_id: made.id }
    expect((await info(advocate)).assigned).not.toContainEqual(entry)
    await sql`update issues set advocate = ${advocate.id} where id = ${made.issue}`.execute(context.db)
    expect((await info(advocate)).assigned[0]).toEqual(entry)
    expect((await info(await context.as('partner'))).assigned).toEqual([])
    await sql`update issues set invalid_fields = '{summary}' where id = ${made.issue}`.execute(context.db)
    expect((await info(manager)).invalid).toContainEqual(entry)
    expect((await info(advocate)).invalid).toEqual([])
    expect((await info(await context.as('partnermanager'))).invalid).toEqual([])
    await close(made.issue)
    expect((await info(advocate)).assigned).not.toContainEqual(entry)
  })

  it('has the same lists in the reply of a sign-in', async () => {
    const reply = await (await context.as())('auth.login', {
      body: { username: 'manager', password: PASSWORD },
    })
    const manager = await context.as('manager')
    expect(reply.body.user.notifications).toEqual(await info(manager))
    expect(reply.body.user.notifications.invalid.length).toBeGreaterThan(0)
  })
})
