import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import type { Values } from '../../src/contract/when.ts'
import { type Caller, describeServer } from './context.ts'
import { createCase, newCase } from './newCase.ts'

const context = describeServer()

const count = async (table: string) =>
  (await sql<{ n: number }>`select count(*) as n from ${sql.table(table)}`.execute(context.db)).rows[0].n

describe('a new case', () => {
  it('stores client, case, issue, monitoring and signposting together', async () => {
    const advocate = await context.as('advocate')
    const body = await newCase(advocate, 1, {
      monitoring: { gender: 1 },
      signposting: [{ row: 'a', sp_org: 1, notes: 'Leaflet' }],
    })
    const { status, body: made } = await advocate('cases.create', { body })
    expect([status, made]).toEqual([
      201,
      {
        id: expect.any(Number),
        client: expect.any(Number),
        client_name: expect.stringMatching(/^Ann Example/),
        issue: expect.any(Number),
      },
    ])
    const read = async (name: string, id: number) => (await advocate(name, { params: { id } })).body
    expect(await read('cases.read', made.id)).toMatchObject({
      client: made.client,
      answers: (body.case as { answers: object }).answers,
      status: 1,
      open_issues: 1,
    })
    expect(await read('issues.read', made.issue)).toMatchObject({
      case: made.id,
      is_opened: true,
      answers: (body.issue as { answers: object }).answers,
    })
    expect(await read('cases.monitoring', made.id)).toMatchObject({ gender: 1 })
    expect((await read('clients.signposts', made.client)).data).toMatchObject([
      { sp_org: 1, notes: 'Leaflet' },
    ])
    expect(await read('clients.monitoring', made.client)).toMatchObject({ gender: 1 })
    expect(await read('clients.read', made.client)).toMatchObject({
      open_cases: [{ id: made.id }],
      closed_cases: [],
    })
  })

  it('that is to be completed later may lack required answers, and says which', async () => {
    const advocate = await context.as('advocate')
    const whole = await newCase(advocate)
    const { answers: _, ...caseRecord } = whole.case as Values
    const { answers: __, ...issue } = whole.issue as Values
    const body = { ...whole, case: caseRecord, issue }
    const refused = await advocate('cases.create', { body })
    expect(refused.status).toBe(400)
    const { status, body: made } = await advocate('cases.create', { body: { ...body, incomplete: true } })
    expect(status).toBe(201)
    const missing = Object.keys(refused.body).map((path) => path.split('.').slice(0, 3).join('.'))
    const read = async (name: string, id: number) => (await advocate(name, { params: { id } })).body
    const [stored, storedIssue] = [await read('cases.read', made.id), await read('issues.read', made.issue)]
    expect([
      ...stored.invalid_fields.map((name: string) => `case.answers.${name}`),
      ...storedIssue.invalid_fields.map((name: string) => `issue.answers.${name}`),
    ]).toEqual(missing)
    const manager = await context.as('admin')
    const listed = (await manager('validation.issues', { query: { page_size: 500 } })).body.data
    expect(listed.map((row: { id: number }) => row.id)).toContain(made.issue)
  })

  it('that is to be completed later has no wrong answer and names its client', async () => {
    const advocate = await context.as('advocate')
    const whole = await newCase(advocate)
    const [name] = Object.keys((whole.case as { answers: Values }).answers)
    const body = {
      ...whole,
      incomplete: true,
      client: { first_name: 'Ann' },
      case: { ...(whole.case as Values), answers: { [name]: { not: 'an answer' } } },
    }
    const { status, body: errors } = await advocate('cases.create', { body })
    expect([status, Object.keys(errors).sort()]).toEqual([400, [`case.answers.${name}`, 'client.last_name']])
    const odd = await advocate('cases.create', { body: { ...whole, incomplete: 'later' } })
    expect(odd.body).toEqual({ incomplete: ['Incomplete must be true or false'] })
  })

  it('stores nothing at all when one part is wrong, and names the field', async () => {
    const advocate = await context.as('advocate')
    const before = [await count('clients'), await count('cases'), await count('issues'), await count('audit')]
    const body = await newCase(advocate, 1, { signposting: [{ sp_org: 999999 }] })
    const { status, body: errors } = await advocate('cases.create', { body })
    expect([status, errors]).toEqual([
      400,
      { 'signposting.0.sp_org': ['Organisation must be one of the choices'] },
    ])
    expect([
      await count('clients'),
      await count('cases'),
      await count('issues'),
      await count('audit'),
    ]).toEqual(before)
  })

  it('refuses a required answer that is missing, but not one that is hidden', async () => {
    const advocate = await context.as('advocate')
    const body = await newCase(advocate)
    const { answers } = body.case as { answers: Record<string, unknown> }
    const { eligible: _, ...rest } = answers
    const refused = await advocate('cases.create', {
      body: { ...body, case: { ...(body.case as object), answers: rest } },
    })
    expect([refused.status, Object.keys(refused.body)]).toEqual([400, ['case.answers.eligible']])
    expect(answers).not.toHaveProperty('urgent_reason')
  })

  it('drops answers to fields that are hidden or unknown', async () => {
    const advocate = await context.as('advocate')
    const body = await newCase(advocate)
    const own = body.case as { answers: Record<string, unknown> }
    const sneaky = {
      ...own,
      answers: { ...own.answers, is_urgent: 'no', urgent_reason: 'hidden', nonsense: 1 },
    }
    const made = await advocate('cases.create', { body: { ...body, case: sneaky } })
    const { body: stored } = await advocate('cases.read', { params: { id: made.body.id } })
    expect(stored.answers).not.toHaveProperty('urgent_reason')
    expect(stored.answers).not.toHaveProperty('nonsense')
  })

  it('counts once for an idempotency key, however often and parallel it is sent', async () => {
    const advocate = await context.as('advocate')
    const body = await newCase(advocate)
    const headers = { 'idempotency-key': 'double-click-1' }
    const replies = await Promise.all([1, 2, 3, 4].map(() => advocate('cases.create', { body, headers })))
    expect(replies.map((r) => r.status)).toEqual([201, 201, 201, 201])
    expect(new Set(replies.map((r) => r.body.id)).size).toBe(1)
    const other = await advocate('cases.create', { body: { ...body, service: 2 }, headers })
    expect([other.status, other.body.code]).toEqual([409, 'usedKey'])
  })

  it('is of no case type that is still in the making', async () => {
    const [advocate, admin] = [await context.as('advocate'), await context.as('admin')]
    const { id } = (await admin('caseTypes.begin', { body: { label: 'In the making', service: 1 } })).body
    const body = { ...(await newCase(advocate)), case_type: id }
    const refused = await advocate('cases.create', { body })
    expect([refused.status, refused.body]).toEqual([400, { case_type: ['Choose case type'] }])
  })

  it.each([[[null]], [['x']], ['x'], [{}]])(
    'says what is wrong with signposting of %j',
    async (signposting) => {
      const advocate = await context.as('advocate')
      const refused = await advocate('cases.create', { body: { ...(await newCase(advocate)), signposting } })
      expect([refused.status, Object.keys(refused.body)[0]]).toEqual([
        400,
        expect.stringMatching(/^signposting/),
      ])
    },
  )

  it('takes a client who is there already, and not one out of scope', async () => {
    const advocate = await context.as('advocate')
    const { client } = await createCase(advocate)
    const again = await createCase(advocate, 1, { client })
    expect(again.client).toBe(client)
    const stranger = await context.as('stranger')
    const refused = await stranger('cases.create', { body: { ...(await newCase(stranger, 5)), client } })
    expect(refused.status).toBe(404)
  })
})

describe('changing answers', () => {
  it('merges by name, clears by null, and keeps the answer of a switched-off field apart', async () => {
    const advocate = await context.as('advocate')
    const { id } = await createCase(advocate)
    await sql`update cases set answers = answers || '{"heard_of_service": 3}' where id = ${id}`.execute(
      context.db,
    )
    const changed = await advocate('cases.update', {
      params: { id },
      body: { answers: { ward: 'Ward 7', is_urgent: 'yes', urgent_reason: 'Soon' } },
    })
    expect(changed.body.answers).toMatchObject({ ward: 'Ward 7', urgent_reason: 'Soon' })
    expect(changed.body.answers).not.toHaveProperty('heard_of_service')
    expect(changed.body.hidden_answers).toMatchObject({ heard_of_service: { value: 3 } })
    const cleared = await advocate('cases.update', {
      params: { id },
      body: { answers: { ward: null, heard_of_service: null } },
    })
    expect(cleared.body.answers).not.toHaveProperty('ward')
    expect(cleared.body.hidden_answers).toMatchObject({ heard_of_service: { value: 3 } })
  })

  it('clears an answer that its own condition hides, and history keeps it', async () => {
    const advocate = await context.as('advocate')
    const { id } = await createCase(advocate)
    await advocate('cases.update', {
      params: { id },
      body: { answers: { is_urgent: 'yes', urgent_reason: 'Soon' } },
    })
    const { body } = await advocate('cases.update', {
      params: { id },
      body: { answers: { is_urgent: 'no' } },
    })
    expect(body.answers).not.toHaveProperty('urgent_reason')
    const { rows } = await sql<{
      changes: object
    }>`select changes from audit where entity = 'case' and record = ${id} order by id desc limit 1`.execute(
      context.db,
    )
    expect(rows[0].changes).toMatchObject({ 'answers.urgent_reason': { from: 'Soon', to: null } })
  })

  it('validates what is sent and what it reveals, and ignores older gaps', async () => {
    const advocate = await context.as('advocate')
    const { id } = await createCase(advocate)
    await sql`update cases set answers = answers - 'eligible' where id = ${id}`.execute(context.db)
    const fine = await advocate('cases.update', { params: { id }, body: { answers: { ward: 'Ward 8' } } })
    expect(fine.status).toBe(200)
    expect(fine.body.invalid_fields).toContain('eligible')
    const revealing = await advocate('cases.update', {
      params: { id },
      body: { answers: { is_urgent: 'yes' } },
    })
    expect([revealing.status, revealing.body]).toEqual([
      400,
      { 'answers.urgent_reason': ['Answer “Why urgent”'] },
    ])
  })

  it('merges different fields and refuses the same field changed by somebody else', async () => {
    const [advocate, admin] = [await context.as('advocate'), await context.as('admin')]
    const { id } = await createCase(advocate)
    const { version } = (await advocate('cases.read', { params: { id } })).body
    expect(
      (await admin('cases.update', { params: { id }, body: { version, answers: { ward: 'Theirs' } } }))
        .status,
    ).toBe(200)
    const other = await advocate('cases.update', {
      params: { id },
      body: { version, answers: { place_name: 'Hospital' } },
    })
    expect(other.body.answers).toMatchObject({ ward: 'Theirs', place_name: 'Hospital' })
    const same = await advocate('cases.update', {
      params: { id },
      body: { version, answers: { ward: 'Mine' } },
    })
    expect(same.status).toBe(409)
    expect(same.body).toMatchObject({
      code: 'conflict',
      fields: { 'answers.ward': { base: null, mine: 'Mine', theirs: 'Theirs', by: 'admin Example' } },
    })
    const onTop = await advocate('cases.update', {
      params: { id },
      body: { version: same.body.current.version, answers: { ward: 'Mine' } },
    })
    expect(onTop.body.answers.ward).toBe('Mine')
  })
})

describe('retiring and closing', () => {
  it('retires and unretires, twice without harm', async () => {
    const advocate = await context.as('advocate')
    const { id } = await createCase(advocate)
    const status = async (name: string) => (await advocate(name, { params: { id } })).body.status
    expect(await status('cases.retire')).toBe(2)
    expect(await status('cases.retire')).toBe(2)
    expect(await status('cases.unretire')).toBe(1)
  })

  it('closes an issue with reasons once, and then its case', async () => {
    const advocate = await context.as('advocate')
    const { id, issue, client } = await createCase(advocate)
    const close = (body: object) => advocate('issues.close', { params: { id: issue }, body })
    expect((await close({})).body).toEqual({ reasons: ['Choose reasons'] })
    expect((await close({ reasons: [1] })).body).toMatchObject({
      is_opened: false,
      close_reasons: [1],
      state: 'Closed',
    })
    expect((await close({ reasons: [1] })).status).toBe(400)
    expect((await advocate('cases.read', { params: { id } })).body.is_closed).toBe(true)
    expect((await advocate('clients.read', { params: { id: client } })).body).toMatchObject({
      open_cases: [],
      closed_cases: [{ id }],
    })
  })
})

describe('dates that hang together', () => {
  it('refuses the one that is sent where it no longer fits the one that is stored', async () => {
    const advocate = await context.as('advocate')
    const { client, issue } = await createCase(advocate, 1)
    const person = { params: { id: client } }
    await advocate('clients.update', { ...person, body: { dob: '1950-01-31', dod: '2026-01-31' } })
    const wrong = await advocate('clients.update', { ...person, body: { dob: '2026-02-01' } })
    expect([wrong.status, Object.keys(wrong.body)]).toEqual([400, ['dod']])

    const work = { params: { id: issue } }
    await advocate('issues.update', { ...work, body: { start_date: '2026-01-10' } })
    await advocate('issues.close', { ...work, body: { reasons: [2], close_date: '2026-01-20' } })
    const start = (start_date: string) => advocate('issues.update', { ...work, body: { start_date } })
    expect((await start('2026-01-20')).status).toBe(200)
    const late = await start('2026-01-21')
    expect([late.status, late.body]).toEqual([
      400,
      { start_date: ['Start date must not be after the day it was closed'] },
    ])
  })
})

describe('the facts of a case', () => {
  it('come from the issues that the reader may see, and not from others', async () => {
    const advocate = await context.as('advocate')
    const manager = await context.as('manager')
    const { issue: first } = await newCase(advocate)
    const made = await createCase(advocate, 1, {
      client: { first_name: 'Ann', last_name: 'Facts', dob: '1950-06-04', phone: '01632 960182' },
      issue: { ...(first as object), advocate: advocate.id },
    })
    const { issue: other } = await newCase(advocate)
    const { body: second } = await manager('cases.addIssue', {
      params: { id: made.id },
      body: other as object,
    })
    const act = (caller: Caller, issue: number, next_step: string, next_due: string) =>
      caller('actions.create', {
        body: { issue, type: 1, done_on: '2026-05-01', time_taken: 60, next_step, next_due },
      })
    await act(advocate, made.issue, 'Ring the ward', '2026-07-01')
    await act(manager, second.id, 'Somebody else’s', '2026-06-01')
    // Only the manager sees the second one.
    await sql`update issues set advocate = ${manager.id}, created_by = ${manager.id} where id = ${second.id}`.execute(
      context.db,
    )
    const factsOf = async (caller: Caller) => (await caller('cases.read', { params: { id: made.id } })).body
    const listed = async (caller: Caller) =>
      (await caller('cases.issues', { params: { id: made.id } })).body.data.length
    const own = await factsOf(advocate)
    expect(own).toMatchObject({
      client_dob: '1950-06-04',
      client_phone: '01632 960182',
      next_step: 'Ring the ward',
      next_due: '2026-07-01',
      open_issues: await listed(advocate),
      issue_count: await listed(advocate),
    })
    const all = await factsOf(manager)
    expect(all).toMatchObject({ next_step: 'Somebody else’s', issue_count: 2, open_issues: 2 })
    expect([await listed(advocate), own.advocate_name]).toEqual([1, 'advocate Example'])
    expect(all.advocate_name).toContain('manager Example')
  })
})
