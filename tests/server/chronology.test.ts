import { sql } from 'kysely'
import { beforeAll, describe, expect, it } from 'vitest'
import xlsx from 'xlsx'
import { type Caller, describeServer } from './context.ts'
import { everyWrite, type Write } from './everyWrite.ts'
import { createCase } from './newCase.ts'

interface Entry {
  id: number
  happened_on: string
  entity: string
  action: string
  record: number
  case: number | null
  issue: number | null
  title: string
  kind: string
  staff: number
  changes: { field: string; label: string; from: string; to: string }[]
}

const ALL = { page_size: 500 }
const context = describeServer()
let admin: Caller
let advocate: Caller
let manager: Caller
let partner: Caller
let made: { id: number; client: number; issue: number }
let second: number
let done: Write[]

beforeAll(async () => {
  admin = await context.as('admin')
  advocate = await context.as('advocate')
  manager = await context.as('manager')
  partner = await context.as('partner')
  made = await createCase(advocate, 1, { signposting: [{ sp_org: 1 }] })
  await sql`update issues set advocate = ${advocate.id} where id = ${made.issue}`.execute(context.db)
  ;({ done, second } = await everyWrite({ admin, advocate, manager, partner }, made))
})

async function story(who: Caller, of: 'Client' | 'Case' | 'Issue', id: number, query = {}): Promise<Entry[]> {
  const { status, body } = await who(`chronology.of${of}`, { params: { id }, query: { ...ALL, ...query } })
  expect(status).toBe(200)
  expect(body.pagination.count).toBe(body.data.length)
  return body.data
}

const writes = (entries: Entry[]) =>
  entries.toSorted((a, b) => a.id - b.id).map((e) => `${e.entity} ${e.action}`)

describe('the chronology', () => {
  it('of a client has every write exactly once', async () => {
    expect(done.length).toBeGreaterThan(35)
    expect(writes(await story(admin, 'Client', made.client))).toEqual(done.map(({ write }) => write))
  })

  it('of a case and of an issue has theirs', async () => {
    const ofCase = done.filter((one) => one.case === made.id)
    expect(writes(await story(admin, 'Case', made.id))).toEqual(ofCase.map(({ write }) => write))
    const ofIssue = done.filter((one) => one.issue === made.issue)
    expect(writes(await story(advocate, 'Issue', made.issue))).toEqual(ofIssue.map(({ write }) => write))
  })

  it('runs from the newest to the oldest by the day on which things happened', async () => {
    const entries = await story(admin, 'Client', made.client)
    const sorted = entries.toSorted((a, b) =>
      a.happened_on === b.happened_on ? b.id - a.id : a.happened_on < b.happened_on ? 1 : -1,
    )
    expect(entries.map(({ id }) => id)).toEqual(sorted.map(({ id }) => id))
    const days = entries
      .filter((e) => e.entity === 'action' && e.action === 'create')
      .map((e) => e.happened_on)
    expect(days).toEqual(['2026-03-01', '2026-03-01', '2026-03-01'])
    const paged = [1, 2, 3].map((p) =>
      admin('chronology.ofClient', { params: { id: made.client }, query: { p, page_size: 15 } }),
    )
    const pages = (await Promise.all(paged)).flatMap(({ body }) => body.data as Entry[])
    expect(pages.map(({ id }) => id)).toEqual(entries.map(({ id }) => id).slice(0, 45))
  })

  it('hides from a reader the events of an issue that they may not open', async () => {
    const seen = await story(partner, 'Client', made.client)
    expect(seen.length).toBeGreaterThan(10)
    expect(new Set(seen.map(({ issue }) => issue).filter(Boolean))).not.toContain(made.issue)
    const deleted = done.find(({ write }) => write === 'issue remove')!
    const theirs = done.filter(
      (one) => one.issue !== made.issue && (one.issue !== deleted.issue || one === deleted),
    )
    expect(writes(seen)).toEqual(theirs.map(({ write }) => write))
    expect((await partner('chronology.ofIssue', { params: { id: made.issue } })).status).toBe(404)
    const stranger = await context.as('stranger')
    for (const [name, id] of [
      ['chronology.ofClient', made.client],
      ['chronology.ofCase', made.id],
      ['chronology.ofIssue', made.issue],
    ] as const)
      expect([name, (await stranger(name, { params: { id } })).status]).toEqual([name, 404])
  })

  it('lists of a deleted issue its deletion, and to each reader their own events', async () => {
    const own = await createCase(advocate)
    const { issue_type, start_date, answers } = (await admin('issues.read', { params: { id: own.issue } }))
      .body
    const add = async (who: Caller, person: Caller) => {
      const body = { issue_type, start_date, answers, advocate: person.id }
      return (await who('cases.addIssue', { params: { id: own.id }, body })).body.id
    }
    await add(manager, partner)
    const id = await add(advocate, advocate)
    await manager('issues.update', { params: { id }, body: { answers: { wishes: 'A secret' } } })
    expect((await advocate('issues.remove', { params: { id } })).status).toBe(204)
    const seenBy = async (who: Caller) => {
      const entries = (await story(who, 'Case', own.id)).filter(({ issue }) => issue === id)
      return [writes(entries), entries.flatMap(({ changes }) => changes).length]
    }
    expect(await seenBy(partner)).toEqual([['issue remove'], 0])
    expect(await seenBy(advocate)).toEqual([['issue create', 'issue remove'], 0])
    expect(await seenBy(manager)).toEqual([['issue update', 'issue remove'], 1])
    expect(await seenBy(admin)).toEqual([['issue create', 'issue update', 'issue remove'], 1])
  })

  it('can be narrowed to a kind and to a person', async () => {
    const all = await story(admin, 'Client', made.client)
    for (const kind of ['action', 'issue', 'outcome', 'file', 'risk', 'change']) {
      const some = await story(admin, 'Client', made.client, { kind })
      expect([kind, some]).toEqual([kind, all.filter((entry) => entry.kind === kind)])
      expect([kind, some.length > 0]).toEqual([kind, true])
    }
    const mine = await story(admin, 'Client', made.client, { staff: manager.id })
    expect(writes(mine)).toEqual(['case update', 'issue create', 'issue assign'])
    expect(await story(admin, 'Client', made.client, { staff: manager.id, kind: 'action' })).toEqual([])
  })

  it('says what happened in words', async () => {
    const all = await story(admin, 'Client', made.client)
    const of = (entity: string, action: string) =>
      all.find((e) => e.entity === entity && e.action === action)!
    expect(of('action', 'create').title).toBe('Telephone call - client')
    expect(of('case', 'retire')).toMatchObject({
      title: 'Case retired',
      changes: [{ field: 'status', label: 'Status', from: 'Active', to: 'Retired' }],
    })
    expect(of('case', 'update').changes).toEqual([
      { field: 'answers.ward', label: expect.stringMatching(/ward/i), from: '', to: 'Oak' },
    ])
    expect(of('issue', 'close')).toMatchObject({ title: 'Issue closed', kind: 'issue' })
    expect(of('issue', 'close').changes).toContainEqual({
      field: 'is_opened',
      label: 'Open',
      from: 'Yes',
      to: 'No',
    })
    expect(of('issue', 'close').changes).toContainEqual(
      expect.objectContaining({ field: 'close_reasons', to: 'Desired outcome achieved' }),
    )
    expect(of('issue', 'assign').changes[0]).toMatchObject({ label: 'Advocate', to: 'advocate Example' })
    expect(of('action', 'update').changes[0]).toMatchObject({ label: 'Time taken', to: '0:15' })
  })

  it('moves an entry with the day that somebody corrects', async () => {
    const own = await createCase(admin)
    const body = { type: 1, done_on: '2026-02-02' }
    const added = await admin('actions.addToIssue', { params: { id: own.issue }, body })
    const days = async () => {
      const begun = (await story(admin, 'Client', own.client)).filter((e) => e.action === 'create')
      return ['action', 'issue'].map((name) => begun.find((e) => e.entity === name)?.happened_on)
    }
    expect(await days()).toEqual(['2026-02-02', '2026-02-01'])
    await admin('actions.update', { params: { id: added.body.id }, body: { done_on: '2026-01-20' } })
    await admin('issues.update', { params: { id: own.issue }, body: { start_date: '2026-01-10' } })
    expect(await days()).toEqual(['2026-01-20', '2026-01-10'])
  })
})

describe('the chronology as a sheet', () => {
  it('has the changes in words', async () => {
    const path = `/api/cases/${made.id}/chronology?format=xlsx&columns=title,changes`
    const headers = { authorization: `Token ${admin.key}` }
    const reply = await fetch(context.address + path, { headers })
    const { Sheets } = xlsx.read(Buffer.from(await reply.arrayBuffer()))
    const rows = xlsx.utils.sheet_to_json<string[]>(Sheets.data, { header: 1 })
    expect(rows).toHaveLength(1 + done.filter((one) => one.case === made.id).length)
    expect(rows).toContainEqual(['Case retired', 'status, Status, Active, Retired'])
  })
})

describe('a change in words', () => {
  const change = async (who: Caller, name: string, id: number, body: object) => {
    expect((await who(name, { params: { id }, body })).status).toBe(200)
    return (await story(admin, 'Client', made.client)).toSorted((a, b) => b.id - a.id)[0].changes
  }

  it('groups the half days of a week by day', async () => {
    const update = (comm_preferences: string[]) =>
      change(advocate, 'clients.update', made.client, { comm_preferences })
    await update([])
    expect(await update(['tue_pm', 'mon_am', 'email', 'tue_am'])).toEqual([
      {
        field: 'comm_preferences',
        label: 'How and when to get in touch',
        from: '',
        to: 'Email, Monday morning, Tuesday morning and afternoon',
      },
    ])
    expect(await update(['thurs_pm'])).toMatchObject([{ to: 'Thursday afternoon' }])
    await update([])
  })

  it('names staff who left since, however many others there are', async () => {
    await sql`insert into staff (username, first_name) select 'one' || n, 'A ' || n from generate_series(1, 2000) n`.execute(
      context.db,
    )
    const { id } = await context.as('volunteer')
    await change(manager, 'issues.assign', made.issue, { advocate: id })
    await sql`update staff set status = 2 where id = ${id}`.execute(context.db)
    expect(await change(manager, 'issues.assign', made.issue, { advocate: advocate.id })).toMatchObject([
      { label: 'Advocate', from: 'volunteer Example', to: 'advocate Example' },
    ])
  })
})

describe('a sensitive answer', () => {
  const WISHES = 'answers.wishes'
  const wishesIn = (entries: Entry[], record: number) =>
    entries
      .filter((e) => e.entity === 'issue' && e.record === record)
      .flatMap(({ changes }) => changes.filter(({ field }) => field === WISHES))
      .map(({ from, to }) => [from, to])

  beforeAll(async () => {
    await sql`update case_types set issue_meta = (
      select jsonb_agg(jsonb_set(g, '{fields}', (
        select jsonb_agg(case when f ->> 'name' = 'wishes'
          then jsonb_set(f, '{attrs}', f -> 'attrs' || '{"sensitive": true}') else f end order by m)
        from jsonb_array_elements(g -> 'fields') with ordinality x(f, m))) order by n)
      from jsonb_array_elements(issue_meta) with ordinality y(g, n)) where id = 1`.execute(context.db)
  })

  it('is shown to people who may open the record', async () => {
    expect(wishesIn(await story(advocate, 'Issue', made.issue), made.issue)).toEqual([['', 'To stay']])
  })

  const wishesInSheet = async () => {
    const path = `/api/issues/${made.issue}/chronology?format=xlsx&columns=changes`
    const reply = await fetch(context.address + path, { headers: { authorization: `Token ${advocate.key}` } })
    const { Sheets } = xlsx.read(Buffer.from(await reply.arrayBuffer()))
    return xlsx.utils.sheet_to_csv(Sheets.data).match(/answers\.wishes.*/g)
  }

  it('is in no sheet, where it only says that it changed', async () => {
    expect(await wishesInSheet()).toEqual([expect.stringMatching(/^answers\.wishes, [^,]+, changed"$/)])
  })

  it('of a deleted issue is hidden from people who could never open it', async () => {
    const { issue_type, start_date, answers } = (
      await advocate('issues.read', { params: { id: made.issue } })
    ).body
    const body = { issue_type, start_date, answers, advocate: advocate.id }
    const { id } = (await advocate('cases.addIssue', { params: { id: made.id }, body })).body
    await advocate('issues.update', { params: { id }, body: { answers: { wishes: 'A secret' } } })
    expect(wishesIn(await story(partner, 'Client', made.client), id)).toEqual([])
    expect((await advocate('issues.remove', { params: { id } })).status).toBe(204)
    expect(wishesIn(await story(partner, 'Client', made.client), id)).toEqual([])
    expect(wishesIn(await story(advocate, 'Client', made.client), id)).toEqual([['', 'changed']])
  })

  it('stays out of sheets once its form does not have the field any more', async () => {
    await sql`update case_types set issue_meta = (
      select jsonb_agg(jsonb_set(g, '{fields}', (
        select coalesce(jsonb_agg(f), '[]') from jsonb_array_elements(g -> 'fields') f where f ->> 'name' <> 'wishes')))
      from jsonb_array_elements(issue_meta) g) where id = 1`.execute(context.db)
    expect(wishesIn(await story(advocate, 'Issue', made.issue), made.issue)).toEqual([['', 'To stay']])
    expect(await wishesInSheet()).toEqual([expect.stringMatching(/^answers\.wishes, wishes, changed"$/)])
  })
})

describe('putting back', () => {
  const restore = (who: Caller, id: number, field: string) =>
    who('chronology.restore', { params: { id }, body: { field } })
  const change = async (body: object) => {
    expect((await advocate('cases.update', { params: { id: made.id }, body })).status).toBe(200)
    return (await story(manager, 'Case', made.id))[0].id
  }
  const read = async () => (await manager('cases.read', { params: { id: made.id } })).body

  it('restores a field and an answer to what they were before, and is an entry itself', async () => {
    const before = await read()
    const entry = await change({ patient_dob: '1950-01-01', answers: { ward: 'Elm' } })
    const answer = await restore(manager, entry, 'answers.ward')
    expect([answer.status, answer.body]).toEqual([
      200,
      expect.objectContaining({ id: entry, entity: 'case' }),
    ])
    expect(Array.isArray(answer.body.changes)).toBe(true)
    expect(await read()).toMatchObject({ patient_dob: '1950-01-01', answers: { ward: 'Oak' } })
    expect((await restore(manager, entry, 'patient_dob')).status).toBe(200)
    expect((await read()).patient_dob).toBe(before.patient_dob)
    const [newest] = await story(manager, 'Case', made.id)
    expect(newest).toMatchObject({ entity: 'case', action: 'update', staff: manager.id })
    expect(newest.changes).toEqual([
      expect.objectContaining({ field: 'patient_dob', from: '1 January 1950', to: '' }),
    ])
  })

  it('says why it restores no answer whose question is gone, and does not offer it', async () => {
    const entry = await change({ answers: { ward: 'Beech' } })
    await sql`update audit set changes = changes || ${JSON.stringify({
      'answers.no_longer_asked': { from: 'old', to: 'new' },
    })}::jsonb where id = ${entry}`.execute(context.db)
    const why = 'This cannot be put back: its question is no longer asked'
    const { status, body } = await restore(manager, entry, 'answers.no_longer_asked')
    expect([status, body]).toEqual([400, { field: [why] }])
    const reasons = async (who: Caller) => {
      const [newest] = await story(who, 'Case', made.id)
      return Object.fromEntries(
        newest.changes.map((one) => [one.field, (one as { why_not?: unknown }).why_not]),
      )
    }
    expect(await reasons(manager)).toEqual({ 'answers.ward': undefined, 'answers.no_longer_asked': why })
    expect(await reasons(advocate)).toMatchObject({ 'answers.no_longer_asked': undefined })
  })

  it('restores no answer that is hidden or calculated, and with an answer those that its change had hidden', async () => {
    const { body: type } = await admin('caseTypes.read', { params: { id: 1 } })
    const asked = [
      { name: 'score', label: 'Risk score', type: 'integer' },
      {
        name: 'score_reason',
        label: 'Reason for the risk score',
        type: 'text',
        attrs: { when: { score: { min: 4 } }, required_when: { score: { min: 4 } } },
      },
      {
        name: 'score_twice',
        label: 'Twice',
        type: 'integer',
        attrs: { calc: 'sum', of: ['score', 'score'] },
      },
    ]
    const published = await admin('caseTypes.update', {
      params: { id: 1 },
      body: {
        version: type.version,
        case_meta: [...type.case_meta, { name: 'risk', label: 'Risk', fields: asked }],
      },
    })
    expect([published.status, published.body.version]).toEqual([200, type.version + 1])
    await change({ answers: { score: 5, score_reason: 'He fell' } })
    const reworded = await change({ answers: { score_reason: 'He fell twice' } })
    const lowered = await change({ answers: { score: 2 } })
    const refused = async (entry: number, field: string) => (await restore(manager, entry, field)).body.field
    const hidden = 'This cannot be put back: its question is hidden by other answers'
    expect(await refused(reworded, 'answers.score_reason')).toEqual([hidden])
    expect(await refused(lowered, 'answers.score_twice')).toEqual([
      'This cannot be put back: its value is calculated',
    ])
    expect((await restore(manager, lowered, 'answers.score')).status).toBe(200)
    expect((await read()).answers).toMatchObject({ score: 5, score_reason: 'He fell twice', score_twice: 10 })
    expect((await restore(manager, reworded, 'answers.score_reason')).status).toBe(200)
    expect((await read()).answers.score_reason).toBe('He fell')
  })

  it('restores outcomes as the list they were', async () => {
    const issue = { params: { id: second } }
    await admin('issues.update', { ...issue, body: { actual_outcomes: [{ row: 'a', details: 'Moved' }] } })
    await admin('issues.update', { ...issue, body: { actual_outcomes: [] } })
    const [emptied, filled] = await story(admin, 'Issue', second)
    await restore(admin, emptied.id, 'actual_outcomes')
    expect((await admin('issues.read', issue)).body.actual_outcomes).toMatchObject([{ details: 'Moved' }])
    await restore(admin, filled.id, 'actual_outcomes')
    expect((await admin('issues.read', issue)).body.actual_outcomes).toEqual([])
  })

  it('is for managers and administrators within their scope', async () => {
    const entry = await change({ answers: { ward: 'Ash' } })
    for (const [username, status] of [
      ['advocate', 403],
      ['hub', 403],
      ['commissioner', 403],
      ['hubmanager', 404],
      ['admin', 200],
    ] as const)
      expect([username, (await restore(await context.as(username), entry, 'answers.ward')).status]).toEqual([
        username,
        status,
      ])
    expect((await restore(admin, 2147483646, 'ward')).status).toBe(404)
  })

  it('names the step that was planned, done or opened again, and when in the time of the service', async () => {
    const { body: task } = await advocate('tasks.create', {
      body: { title: 'Ring the ward', issue: made.issue },
    })
    for (const call of ['tasks.complete', 'tasks.reopen']) await advocate(call, { params: { id: task.id } })
    const entries = (await story(manager, 'Issue', made.issue)).filter(
      ({ entity, record }) => entity === 'task' && record === task.id,
    )
    expect(entries.map(({ title }) => title)).toEqual([
      'Task opened again: Ring the ward',
      'Task done: Ring the ward',
      'Task added: Ring the ward',
    ])
    expect(entries[1].changes.find(({ field }) => field === 'done_at')!.to).toMatch(
      /^\d\d? \w+ \d{4}, \d\d:\d\d$/,
    )
  })

  it('is for records that this person may change by the generic call', async () => {
    const due = { due: '2026-03-01', issue: made.issue }
    const { body: task } = await advocate('tasks.create', { body: { title: 'Ring', ...due } })
    await advocate('tasks.update', { params: { id: task.id }, body: { title: 'Write' } })
    const [entry] = await story(manager, 'Issue', made.issue)
    expect(entry).toMatchObject({ entity: 'task', action: 'update' })
    expect(await restore(manager, entry.id, 'title')).toMatchObject({
      status: 403,
      body: { code: 'forbidden' },
    })
    const { endpoints } = context.contract
    const updates = Object.values(endpoints).map(({ does }) => does)
    for (const entity of endpoints['chronology.restore'].touches!)
      expect(updates).toContain(`update ${entity}`)
  })

  it('refuses what the entry did not change and what nobody may set', async () => {
    const entry = await change({ answers: { ward: 'Fir' } })
    for (const field of ['patient_dob', 'constructor', 'answers', '']) {
      const { status, body } = await restore(manager, entry, field)
      expect([field, status, Object.keys(body)]).toEqual([field, 400, ['field']])
    }
    const retired = (await story(manager, 'Case', made.id)).find(({ action }) => action === 'retire')!
    expect((await restore(manager, retired.id, 'status')).status).toBe(400)
    expect((await read()).status).toBe(1)
  })
})

describe('the openings of a client', () => {
  it('are shown to managers and administrators who see the client', async () => {
    const openings = async (username: string) =>
      (await context.as(username))('chronology.openings', { params: { id: made.client } })
    const { status, body } = await openings('manager')
    expect([status, body.pagination.count]).toEqual([200, body.data.length])
    expect(body.data).toContainEqual(
      expect.objectContaining({
        entity: 'client',
        record: made.client,
        staff: admin.id,
        person: 'admin Example',
      }),
    )
    expect(new Set(body.data.map((row: Entry) => row.entity))).toEqual(new Set(['client', 'case']))
    for (const [username, expected] of [
      ['admin', 200],
      ['hubmanager', 404],
      ['advocate', 403],
      ['partner', 403],
    ] as const)
      expect([username, (await openings(username)).status]).toEqual([username, expected])
  })
})
