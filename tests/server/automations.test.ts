import { sql } from 'kysely'
import { beforeAll, describe, expect, it, vi } from 'vitest'
import { evaluateCases } from '../../src/server/features/automations/evaluateCases.ts'
import { takeChanged } from '../../src/server/features/automations/takeChanged.ts'
import { type Caller, describeServer } from './context.ts'
import { evaluated } from './evaluated.ts'
import { createCase } from './newCase.ts'

const context = describeServer()
let admin: Caller
let advocate: Caller
let manager: Caller
beforeAll(async () => {
  admin = await context.as('admin')
  advocate = await context.as('advocate')
  manager = await context.as('manager')
})

const on = (id: unknown, body?: object) => ({ params: { id }, ...(body && { body }) })
const CONCERN = { sfg_concern: 'yes', sfg_category: [1], sfg_dsl_level: 1 }

/** A case whose issue is the advocate's. */
async function assignedCase() {
  const made = await createCase(advocate)
  await sql`update issues set advocate = ${advocate.id} where "case" = ${made.id}`.execute(context.db)
  return made
}
const save = (issue: number, answers: object) => advocate('issues.update', on(issue, { answers }))
const alerts = async (who: Caller, client: number) => (await who('clients.alerts', on(client))).body.data
const openConcern = async (who: Caller, client: number) =>
  (await alerts(who, client)).filter((one: { label: string }) => one.label === 'Open safeguarding concern')
const stepsOf = async (issue: number) =>
  (await advocate('tasks.ofIssue', on(issue))).body.data.map(({ title }: { title: string }) => title)

describe('a concern that is recorded', () => {
  it('shows an alert with its kind, notifies the line manager and plans a step, once', async () => {
    const { client, issue } = await assignedCase()
    expect((await save(issue, CONCERN)).status).toBe(200)
    const [alert, ...others] = await openConcern(advocate, client)
    expect(others).toEqual([])
    expect(alert).toMatchObject({
      level: 'danger',
      issue,
      details: expect.stringMatching(/^Safeguarding: \w/),
    })
    expect(alert).toMatchObject({
      by_name: 'advocate Example',
      record_title: `Issue ${issue}`,
      notified: ['manager Example'],
      steps: ['Agree with your manager what happens next'],
      holds: ['close'],
      ends_when_closed: false,
      unanswered: 'sfg_ooc',
    })
    expect(alert.because).toMatch(/'Safeguarding concern in this issue' is Yes/)
    expect(await stepsOf(issue)).toEqual(['Agree with your manager what happens next'])
    expect((await save(issue, { summary: 'More' })).status).toBe(200)
    expect(await stepsOf(issue)).toHaveLength(1)
    const events = await sql`select from automation_events where issue = ${issue}`.execute(context.db)
    expect(events.rows).toHaveLength(1)
    const notified = await sql<{ staff: number; urgent: boolean }>`select staff, urgent from work_notices n
      join automation_events e on e.id = n.event where e.issue = ${issue}`.execute(context.db)
    expect(notified.rows).toEqual([{ staff: manager.id, urgent: true }])
  })

  it('keeps its alert when the issue is closed, and loses it with the outcome', async () => {
    const { client, issue } = await assignedCase()
    await save(issue, CONCERN)
    await sql`update issues set is_opened = false, close_date = start_date, version = version + 1 where id = ${issue}`.execute(
      context.db,
    )
    await save(issue, { summary: 'Closed' })
    expect(await openConcern(advocate, client)).toHaveLength(1)
    expect((await save(issue, { sfg_ooc: 1 })).status).toBe(200)
    expect(await openConcern(advocate, client)).toEqual([])
  })

  it('happens again when it is recorded again', async () => {
    const { issue } = await assignedCase()
    for (const answers of [CONCERN, { sfg_concern: 'no' }, CONCERN]) await save(issue, answers)
    const { rows } = await sql`select from automation_events where issue = ${issue}`.execute(context.db)
    expect(rows).toHaveLength(2)
  })

  it('is known by its label alone to those who see the client and not the issue', async () => {
    const { id, client, issue } = await assignedCase()
    await createCase(advocate, 1, { client })
    await save(issue, CONCERN)
    const stranger = await context.as('stranger')
    await sql`update issues set advocate = ${stranger.id}, created_by = ${stranger.id} where id = ${issue}`.execute(
      context.db,
    )
    await sql`update cases set created_by = ${stranger.id} where id = ${id}`.execute(context.db)
    expect((await advocate('issues.read', on(issue))).status).toBe(404)
    expect(await openConcern(advocate, client)).toMatchObject([
      {
        label: 'Open safeguarding concern',
        level: 'danger',
        details: null,
        because: null,
        since: null,
        by_name: null,
        record_title: null,
        page: null,
        notified: null,
        steps: null,
        holds: null,
        ends_when_closed: null,
        unanswered: null,
        case: null,
        issue: null,
      },
    ])
    expect(await openConcern(stranger, client)).toMatchObject([{ issue, details: expect.any(String) }])
  })
})

describe('a hold', () => {
  it('refuses closing until somebody who may passes it with a reason, once', async () => {
    const { issue } = await assignedCase()
    await save(issue, CONCERN)
    const close = (who: Caller) => who('issues.close', on(issue, { reasons: [1] }))
    const refused = await close(manager)
    expect([refused.status, refused.body]).toMatchObject([
      409,
      {
        code: 'held',
        message: 'The safeguarding concern has no outcome',
        may_pass: true,
        hold: expect.any(Number),
      },
    ])
    const { hold } = refused.body
    expect((await close(advocate)).body).toMatchObject({
      code: 'held',
      may_pass: false,
      ask: expect.stringMatching(
        /^Ask manager Example\. People who see the record and have the role .*Hub Manager may pass/,
      ),
    })
    expect((await advocate('automations.pass', on(hold, { reason: 'I want to' }))).status).toBe(403)
    expect((await manager('automations.pass', on(hold, { reason: '' }))).status).toBe(400)
    const stranger = await context.as('stranger')
    expect((await stranger('automations.pass', on(hold, { reason: 'x' }))).status).toBe(404)
    expect((await manager('automations.pass', on(hold, { reason: 'Dealt with elsewhere' }))).status).toBe(204)
    expect((await close(advocate)).status).toBe(409)
    expect((await close(manager)).status).toBe(200)
    expect((await manager('issues.reopen', on(issue, { reason: 'Again' }))).status).toBe(200)
    expect((await close(manager)).status).toBe(409)
    const history = (await manager('chronology.ofIssue', on(issue))).body.data
    expect(history).toContainEqual(
      expect.objectContaining({
        title: 'Issue let past a hold',
        changes: [
          expect.objectContaining({ label: 'Hold', to: 'The safeguarding concern has no outcome' }),
          expect.objectContaining({ label: 'Reason', to: 'Dealt with elsewhere' }),
        ],
      }),
    )
  })

  it('says an answer to those who see its record, and to others its label', async () => {
    const { automations, version } = (await admin('caseTypes.read', on(1))).body
    const stays = {
      name: 'stays',
      label: 'Stays open',
      of: 'case',
      when: { is_urgent: 'no' },
      then: [{ hold: 'retire', text: 'Urgent: {is_urgent}' }],
    }
    const publish = (change: object) => admin('caseTypes.update', on(1, change))
    expect((await publish({ version, automations: [...automations, stays] })).status).toBe(200)
    const { id, client, issue } = await assignedCase()
    await advocate('cases.update', on(id, { answers: { is_urgent: 'no' } }))
    expect((await manager('clients.retire', on(client))).body.message).toBe('Urgent: No')
    expect((await manager('cases.retire', on(id))).body.message).toBe('Urgent: No')
    // Another case of the client stays in their sight, this one does not.
    await createCase(manager, 1, { client })
    const stranger = await context.as('stranger')
    await sql`update issues set advocate = ${stranger.id}, created_by = ${stranger.id} where id = ${issue}`.execute(
      context.db,
    )
    await sql`update cases set created_by = ${stranger.id} where id = ${id}`.execute(context.db)
    expect((await manager('cases.read', on(id))).status).toBe(404)
    expect((await manager('clients.retire', on(client))).body).toMatchObject({
      code: 'held',
      message: 'Stays open',
    })
    const { version: now } = (await admin('caseTypes.read', on(1))).body
    expect((await publish({ version: now, automations })).status).toBe(200)
  })

  it('refuses retiring the case or the client that the issue belongs to', async () => {
    const { id, client, issue } = await assignedCase()
    await save(issue, CONCERN)
    for (const [call, record] of [
      ['cases.retire', id],
      ['clients.retire', client],
      ['issues.retire', issue],
    ] as const)
      expect([call, (await manager(call, on(record))).body.code]).toEqual([call, 'held'])
  })
})

describe('a hold of deleting for good', () => {
  const KEPT = {
    name: 'kept',
    label: 'Kept for the inquiry',
    of: 'issue',
    when: { summary: 'Keep this' },
    then: [
      { alert: 'Keep: {summary}', level: 'info' },
      { step: 'Mark the folder', due: { days: 1 } },
      { hold: 'purge', text: 'The inquiry needs it', pass: ['AdvocateManager'] },
      { hold: 'close', text: 'The inquiry goes on', pass: ['AdvocateManager'] },
    ],
  }
  const publish = async (change: (automations: object[]) => object[]) => {
    const { version, automations } = (await admin('caseTypes.read', on(1))).body
    const reply = await admin('caseTypes.update', on(1, { version, automations: change(automations) }))
    expect(reply.status).toBe(200)
    await evaluated(context)
  }
  const passed = async (who: Caller, call: string, record: number) => {
    const { body } = await who(call, on(record))
    expect(body.code).toBe('held')
    expect((await who('automations.pass', on(body.hold, { reason: 'Looked at' }))).status).toBe(204)
    return who(call, on(record))
  }

  it('lasts while the record, its case or its client is retired, of which else nothing follows', async () => {
    await publish((automations) => [...automations, KEPT])
    const { id, client, issue } = await assignedCase()
    await save(issue, { summary: 'Keep this' })
    const kept = async () =>
      (await alerts(manager, client)).filter(({ label }: { label: string }) => label === KEPT.label)
    expect([await kept(), await stepsOf(issue)]).toMatchObject([[{}], ['Mark the folder']])
    expect((await passed(manager, 'cases.retire', id)).status).toBe(200)
    expect(await kept()).toEqual([])
    const { data } = (await manager('reports.teamNeeds')).body
    expect(data.filter(({ text }: { text: string }) => text.includes('Keep'))).toEqual([])
    expect((await manager('clients.retire', on(client))).status).toBe(200)
    for (const [call, record] of [
      ['clients.purge', client],
      ['cases.purge', id],
      ['issues.purge', issue],
    ] as const)
      expect([call, (await manager(call, on(record))).body]).toMatchObject([
        call,
        { code: 'held', message: 'The inquiry needs it', may_pass: true },
      ])
    expect((await manager('clients.unretire', on(client))).status).toBe(200)
    expect((await manager('cases.unretire', on(id))).status).toBe(200)
    expect([await kept(), await stepsOf(issue)]).toMatchObject([[{}], ['Mark the folder']])
  })

  it('keeps a pass when the alert of its state gets another text', async () => {
    await publish((automations) =>
      automations.map((one) =>
        (one as { name: string }).name === 'kept' ? { ...KEPT, when: { summary: { set: true } } } : one,
      ),
    )
    const { issue } = await assignedCase()
    await save(issue, { summary: 'Once' })
    const { hold } = (await manager('issues.close', on(issue, { reasons: [1] }))).body
    expect((await manager('automations.pass', on(hold, { reason: 'Looked at' }))).status).toBe(204)
    await save(issue, { summary: 'Twice' })
    expect((await manager('issues.close', on(issue, { reasons: [1] }))).status).toBe(200)
    await publish((automations) => automations.filter((one) => (one as { name: string }).name !== 'kept'))
  })
})

describe('an automation that throws', () => {
  it('fails no save, notifies administrators, and holds what it would have held', async () => {
    const { id, issue } = await assignedCase()
    const broken = {
      name: 'broken',
      label: 'Broken',
      of: 'case',
      when: { any: 'nothing' },
      then: [
        { alert: 'Broken', level: 'info' },
        { step: 'Mend it', due: { days: 1 } },
        { hold: 'retire', text: 'It is held', pass: ['AdvocateManager'] },
      ],
    }
    const setAutomations = (value: object[]) =>
      sql`update case_types set version = version + 1, automations = ${JSON.stringify(value)}::jsonb where id = 1`.execute(
        context.db,
      )
    const { automations } = (await admin('caseTypes.read', on(1))).body
    await setAutomations([...automations, broken])
    expect((await save(issue, { summary: 'Saved' })).status).toBe(200)
    const { rows } = await sql<{ text: string }>`select n.text from work_notices n
      join automation_events e on e.id = n.event where e.name = 'broken'`.execute(context.db)
    expect(rows).toMatchObject([{ text: expect.stringMatching(/“Broken” failed/) }])
    expect(await stepsOf(issue)).toEqual([])
    expect((await manager('cases.retire', on(id))).body).toMatchObject({
      code: 'held',
      message: 'It is held',
      may_pass: true,
    })
    await setAutomations(automations)
    await save(issue, { summary: 'Saved again' })
    expect((await manager('cases.retire', on(id))).status).toBe(200)
  })

  it('is a line of the log, once a day, without what people typed', async () => {
    const { id } = await assignedCase()
    const log = { warn: vi.fn() }
    const { automations } = (await admin('caseTypes.read', on(1))).body
    const broken = {
      name: 'silent',
      label: 'Silent',
      of: 'case',
      when: { any: 'typed' },
      then: [{ alert: 'x', level: 'info' }],
    }
    await context.db.transaction().execute(async (tx) => {
      await sql`update case_types set version = version + 1, automations = ${JSON.stringify([broken])}::jsonb where id = 1`.execute(
        tx,
      )
      for (const _ of [1, 2]) {
        await sql`insert into automation_changes ("case") values (${id})`.execute(tx)
        const changed = await takeChanged(
          tx,
          sql`select id, "case" from automation_changes`,
          'england-and-wales',
        )
        await evaluateCases(
          { db: tx, contract: context.contract, log, today: '2026-06-01', by: null },
          changed,
        )
      }
      await sql`update case_types set version = version + 1, automations = ${JSON.stringify(automations)}::jsonb where id = 1`.execute(
        tx,
      )
    })
    expect(log.warn.mock.calls).toEqual([
      [expect.objectContaining({ automation: 'silent', case: id }), 'an automation failed'],
    ])
    expect(JSON.stringify(log.warn.mock.calls)).not.toContain('typed')
  })
})

describe('a group that sees the record', () => {
  const setGroup = (members: number[], sees_record: boolean) =>
    sql`update lookup set attrs = ${JSON.stringify({ code: 'safeguarding_leads', members, sees_record })}::jsonb
      where kind = 'staff_groups' and value = 1`.execute(context.db)

  it('reads the issue, its case and its client while the condition holds, and changes nothing', async () => {
    const lead = await context.as('stranger')
    await setGroup([lead.id], true)
    const { id, client, issue } = await assignedCase()
    const { issue_type, start_date, answers } = (await advocate('issues.read', on(issue))).body
    const other = (await advocate('cases.addIssue', on(id, { issue_type, start_date, answers }))).body.id
    const statuses = async () => [
      (await lead('issues.read', on(issue))).status,
      (await lead('cases.read', on(id))).status,
      (await lead('clients.read', on(client))).status,
      (await lead('issues.read', on(other))).status,
    ]
    expect(await statuses()).toEqual([404, 404, 404, 404])
    await save(issue, CONCERN)
    expect(await statuses()).toEqual([200, 200, 200, 404])
    expect((await lead('issues.update', on(issue, { answers: { summary: 'x' } }))).status).toBe(404)
    expect((await lead('clients.update', on(client, { first_name: 'x' }))).status).toBe(404)
    await setGroup([lead.id], false)
    expect(await statuses()).toEqual([404, 404, 404, 404])
    await setGroup([advocate.id], true)
    expect(await statuses()).toEqual([404, 404, 404, 404])
    await setGroup([lead.id], true)
    const switchTo = (active: boolean) =>
      sql`update lookup set active = ${active} where kind = 'staff_groups' and value = 1`.execute(context.db)
    await switchTo(false)
    expect(await statuses()).toEqual([404, 404, 404, 404])
    await switchTo(true)
    expect(await statuses()).toEqual([200, 200, 200, 404])
    await save(issue, { sfg_ooc: 1 })
    expect(await statuses()).toEqual([404, 404, 404, 404])
    await setGroup([], true)
  })

  it('is offered no change of what it only reads, and counts no other issue', async () => {
    // An overseer, who could put back a change, without work or a team of their own.
    const lead = await context.as('manager')
    await setGroup([lead.id], true)
    const { id, client, issue } = await createCase(advocate)
    const { issue_type, start_date, answers } = (await admin('issues.read', on(issue))).body
    await save(issue, CONCERN)
    await admin('cases.addIssue', on(id, { issue_type, start_date, answers }))
    await sql`update issues set advocate = nullif(${admin.id}::int, case when id = ${issue} then ${admin.id}::int end),
      service = 4, contract = 2, hub = null where "case" = ${id}`.execute(context.db)
    const read = async (name: string, of: number) => (await lead(name, on(of))).body
    expect((await read('issues.read', issue)).may_change).toBe(false)
    expect((await read('cases.read', id)).may_change).toBe(false)
    const allocations = (await lead('reports.allocations', { query: { page_size: 100 } })).body.data
    expect(allocations.find((row: { id: number }) => row.id === issue)?.may_change).toBe(false)
    const changes = (await read('chronology.ofIssue', issue)).data
    expect(changes.map((row: { may_change: boolean }) => row.may_change)).toEqual(changes.map(() => false))
    const [alert] = (await read('clients.alerts', client)).data
    expect(alert).toMatchObject({ issue, unanswered: null })
    expect((await admin('clients.alerts', on(client))).body.data[0].unanswered).toBe('sfg_ooc')
    expect((await read('clients.cases', client)).data).toMatchObject([{ id, open_issues: 1 }])
    await setGroup([], true)
  })
})

describe('automations of a case type', () => {
  const publish = async (change: object) => {
    const type = (await admin('caseTypes.read', on(1))).body
    return admin('caseTypes.update', on(1, { version: type.version, ...change }))
  }
  const valid = {
    name: 'urgent',
    label: 'Urgent case',
    of: 'case',
    when: { is_urgent: 'yes' },
    then: [{ alert: 'Urgent', level: 'warning' }],
  }

  it.each([
    ['when', { ...valid, when: { is_urgnt: 'yes' } }, /no such field/],
    ['when', { ...valid, when: { is_urgent: 'perhaps' } }, /can never be|no choice/],
    ['of', { ...valid, of: 'client' }, /must be case or issue/],
    ['then', { ...valid, then: [{ alert: '{nobody}', level: 'info' }] }, /not a field of this form/],
    ['then', { ...valid, then: [{ alert: '{risk_summary}', level: 'info' }] }, /in its record only/],
    ['then', { ...valid, then: [{ notify: ['group:nobody'], text: 'x' }] }, /no group of people/],
    ['then', { ...valid, then: [{ hold: 'close', text: 'x', pass: ['Advocat'] }] }, /no role 'Advocat'/],
    ['then', { ...valid, then: [{ hold: 'sleep', text: 'x' }] }, /./],
    ['name', [valid, valid], /Another automation has the name/],
  ])('refuse a wrong %s (%#)', async (_, automation, message) => {
    const { status, body } = await publish({ automations: [automation].flat() })
    expect(status).toBe(400)
    expect(Object.keys(body).every((key) => key.startsWith('automations.'))).toBe(true)
    expect(Object.values(body).flat().join()).toMatch(message)
  })

  it.each(['case_meta', 'issue_meta', 'tests', 'automations', 'deadlines'])(
    'refuse null as %s',
    async (part) => {
      const { status, body } = await publish({ [part]: null })
      expect([status, Object.keys(body)]).toEqual([400, [part]])
    },
  )
})

describe('the impact of a draft', () => {
  const impact = async (automations: unknown, id = 1) => admin('automations.impact', on(id, { automations }))
  const published = async () => (await admin('caseTypes.read', on(1))).body
  const watched = {
    name: 'watched',
    label: 'Watched',
    of: 'issue',
    when: { sfg_concern: 'yes' },
    then: [
      { alert: 'Watched', level: 'warning' },
      { step: 'Look at it', due: { days: 1 } },
    ],
  }
  const stepsAtIt = async () =>
    (await sql`select from tasks where title = 'Look at it'`.execute(context.db)).rows.length

  it('says for how many records an automation would hold, of these begin to hold, and holds now', async () => {
    const { issue } = await assignedCase()
    await save(issue, CONCERN)
    const { automations } = await published()
    const [concern] = automations
    const { rows } = await sql<{ n: number }>`select count(*)::int as n from automation_states
      where case_type = 1 and name = 'open_concern'`.execute(context.db)
    const [{ n }] = rows
    const { status, body } = await impact([concern, watched])
    expect([status, body.counted]).toEqual([200, body.cases])
    const of = (name: string) => body.automations.find((one: { name: string }) => one.name === name)
    expect(of('open_concern')).toMatchObject({ holds: n, begins: 0, ends: 0, now: n })
    expect(of('watched').holds).toBeGreaterThan(0)
    expect(of('watched')).toMatchObject({ begins: of('watched').holds, now: 0 })
    expect(await stepsAtIt()).toBe(0)
    // One that goes has its present number.
    const without = await impact([watched])
    expect(
      without.body.automations.find((one: { name: string }) => one.name === 'open_concern'),
    ).toMatchObject({ holds: 0, ends: n, now: n })
  })

  it('lists as many records as it counts, by pages, and those alone that begin as such', async () => {
    const { id, issue } = await assignedCase()
    await save(issue, CONCERN)
    const { automations } = await published()
    const drafted = [...automations, watched]
    const { body } = await impact(drafted)
    const listed = async (automation: string, from?: number) =>
      (
        await admin(
          'automations.impactRecords',
          on(1, { automations: drafted, automation, ...(from && { from }) }),
        )
      ).body
    for (const { name, holds, begins, closed } of body.automations) {
      const rows = []
      for (let next: number | undefined; ; ) {
        const page = await listed(name, next)
        rows.push(...page.data)
        if (page.next === null) break
        next = page.next
      }
      expect([name, rows.length]).toEqual([name, holds])
      expect(rows.filter((row) => row.begins)).toHaveLength(begins)
      expect(rows.filter((row) => !row.is_open)).toHaveLength(closed)
    }
    const mine = (await listed('open_concern')).data.find((row: { issue: number }) => row.issue === issue)
    expect(mine).toEqual({
      case: id,
      issue,
      is_open: true,
      begins: false,
      client_name: expect.any(String),
      issue_type_label: expect.any(String),
    })
    // From an older case on.
    const older = await listed('open_concern', id - 1)
    expect(older.data.some((row: { case: number }) => row.case >= id)).toBe(false)
    expect((await manager('automations.impactRecords', on(1, { automations }))).status).toBe(403)
    const unknown = await admin('automations.impactRecords', on(1, { automations, automation: 'gone' }))
    expect([unknown.status, Object.keys(unknown.body)]).toEqual([400, ['automation']])
  })

  it('is none for an unfinished one or one that is switched off', async () => {
    const { body } = await impact([
      { ...watched, when: { '': '' } },
      { ...watched, name: 'off', is_on: false },
    ])
    expect(body.automations.slice(0, 2)).toEqual([
      { name: 'watched', holds: 0, closed: 0, begins: 0, ends: 0, now: 0 },
      { name: 'off', holds: 0, closed: 0, begins: 0, ends: 0, now: 0 },
    ])
  })

  it('is for administrators, of a case type that is there, in the right shape', async () => {
    expect((await manager('automations.impact', on(1, { automations: [] }))).status).toBe(403)
    expect((await impact([], 999)).status).toBe(404)
    expect(Object.keys((await impact([{ name: 'x' }])).body)).toEqual(['automations.0'])
    expect((await impact(undefined)).status).toBe(400)
  })

  it('comes true with the publication, which fires events only if it says so', async () => {
    const evaluateNow = () => evaluated(context)
    // What was changed outside of calls fires events whenever it is evaluated.
    await evaluateNow()
    const { version, automations } = await published()
    const { body } = await impact([...automations, watched])
    const { begins } = body.automations.find((one: { name: string }) => one.name === 'watched')
    const publish = async (change: object) => {
      expect((await admin('caseTypes.update', on(1, change))).status).toBe(200)
      await evaluateNow()
    }
    const statesOf = async (name: string) =>
      (await sql`select from automation_states where case_type = 1 and name = ${name}`.execute(context.db))
        .rows.length
    await publish({ version, automations: [...automations, watched] })
    await expect.poll(() => statesOf('watched')).toBe(begins)
    expect(await stepsAtIt()).toBe(0)
    const again = { ...watched, name: 'watched_again' }
    await publish({ version: version + 1, automations: [...automations, again], fire_events: true })
    await expect.poll(() => statesOf('watched_again')).toBe(begins)
    expect(await stepsAtIt()).toBe(begins)
    await publish({ version: version + 2, automations })
  })
})
