import { sql } from 'kysely'
import { beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import type { FieldAttrs, Group } from '../../src/contract/generated.ts'
import type { Values } from '../../src/contract/when.ts'
import { revalidateRecords } from '../../src/server/records/validate/revalidateRecords.ts'
import { type Caller, describeServer } from './context.ts'
import { createCase, newCase } from './newCase.ts'

interface CaseType {
  version: number
  issue_meta: Group[]
}

const context = describeServer()
let admin: Caller
let advocate: Caller
let groups: Group[]
beforeAll(async () => {
  admin = await context.as('admin')
  advocate = await context.as('advocate')
  groups = ((await admin('caseTypes.read', { params: { id: 1 } })).body as CaseType).issue_meta
})

const who = { name: 'who_visits', label: 'Who visits', type: 'text' } as const
const phone = { name: 'visit_phone', label: 'Phone of a visitor', type: 'phone' } as const
const visits = (has: FieldAttrs = {}, own: FieldAttrs = {}, column: FieldAttrs = {}): Group => ({
  name: 'visits',
  label: 'Visits',
  fields: [
    { name: 'has_visitors', label: 'Has visitors', type: 'yesno', attrs: has },
    { ...who, attrs: { when: { has_visitors: 'yes' } } },
    { ...phone, attrs: own },
    { name: 'visit_kind', label: 'Kind of visit', type: 'select', attrs: { lookup: 'hos', ...own } },
    {
      name: 'visit_days',
      label: 'Days',
      type: 'repeat',
      fields: [
        { name: 'day', label: 'Day', type: 'text' },
        { name: 'note', label: 'Note', type: 'text', attrs: column },
      ],
    },
  ],
})
const OFF = { is_on: false }
/** Publishes the issue form with other groups after its own, and answers the version. */
async function publish(...more: Group[]): Promise<number> {
  const { version } = (await admin('caseTypes.read', { params: { id: 1 } })).body
  const body = { version, issue_meta: [...groups, ...more] }
  const published = await admin('caseTypes.update', { params: { id: 1 }, body })
  if (published.status !== 200) throw new Error(JSON.stringify(published.body))
  return published.body.version
}

let version: number
let id: number
beforeEach(async () => {
  version = await publish(visits())
  id = (await createCase(advocate)).issue
})
const save = async (answers: Values, more: Values = {}) => {
  const { status, body } = await advocate('issues.update', { params: { id }, body: { answers, ...more } })
  return { status, body, answers: body.answers as Values }
}
const lastChange = async () => {
  const { body } = await advocate('chronology.ofIssue', { params: { id }, query: { page_size: 500 } })
  const entries = Object.values(body.data) as {
    id: number
    changes: { label: string; to: string }[] | null
  }[]
  return entries.flatMap(({ changes }) => changes ?? []).map(({ label, to }) => [label, to])
}

const read = async (who = advocate) => (await who('issues.read', { params: { id } })).body
const hidden = async () =>
  Object.fromEntries(
    Object.entries((await read()).hidden_answers).map(([name, one]) => [
      name,
      (one as { value: unknown }).value,
    ]),
  )
/** Waits for the work that goes on after the reply of a publication. */
const moved = () =>
  vi.waitFor(async () => expect(await run()).toBe(0), { timeout: 30_000 }) as Promise<unknown>
const run = () =>
  revalidateRecords({
    db: context.db,
    timeZone: 'Europe/London',
    bankHolidays: 'england-and-wales',
    ending: new AbortController().signal,
  })

const days = [{ row: 'a', day: 'Monday', note: 'With a cake' }]
const given = { has_visitors: 'yes', who_visits: 'Her sister', visit_days: days }
const form = (more: Values = {}) => ({ case_type_version: version, ...more })

describe('a save that hides an answered question', () => {
  it('moves the answer to the hidden ones, with who hid it and when; a form brings it back, others do not', async () => {
    await save(given)
    const { answers, body } = await save({ has_visitors: 'no' })
    expect(answers).not.toHaveProperty('who_visits')
    expect(body.hidden_answers).toEqual({
      who_visits: { value: 'Her sister', since: expect.stringMatching(/^\d{4}-.*Z$/), by: advocate.id },
    })
    expect(await lastChange()).toContainEqual(['Who visits', 'no longer counted'])
    const other = await save({ has_visitors: 'yes' })
    expect(other.answers).not.toHaveProperty('who_visits')
    expect(await hidden()).toEqual({ who_visits: 'Her sister' })
    const back = await save({ visit_phone: '01234 567890' }, form())
    expect([back.status, back.answers.who_visits, back.body.hidden_answers]).toEqual([200, 'Her sister', {}])
    const { rows } = await sql<{ changes: Values }>`select changes from audit
      where entity = 'issue' and record = ${id} order by id desc limit 1`.execute(context.db)
    expect(rows[0].changes).toMatchObject({
      'answers.who_visits': { from: null, to: 'Her sister', moved: true },
    })
  })

  it('keeps what a form typed before it was hidden, and gives way to what is typed when it is shown', async () => {
    await save(given)
    await save({ has_visitors: 'no', who_visits: 'Tom' }, form())
    expect(await hidden()).toEqual({ who_visits: 'Tom' })
    const { answers } = await save({ has_visitors: 'yes', who_visits: 'Ann' })
    expect([answers.who_visits, await hidden()]).toEqual(['Ann', {}])
  })

  it('lets no caller set the hidden answers', async () => {
    const { status, body } = await save({}, { hidden_answers: { who_visits: { value: 'Tom' } } })
    expect([status, body]).toEqual([400, { hidden_answers: ['No longer counted cannot be set here'] }])
  })
})

describe('two people with the same form', () => {
  it('have no conflict where one hides what the other types, which is kept', async () => {
    const { version: first } = (await save(given)).body
    await save({ has_visitors: 'no' }, form({ version: first }))
    const typed = await save({ who_visits: 'Tom' }, form({ version: first }))
    expect([typed.status, await hidden()]).toEqual([200, { who_visits: 'Tom' }])
  })

  it('have one where one changes and hides what the other types, with the hidden answer as theirs', async () => {
    const { version: first } = (await save(given)).body
    const { version: second } = (await save({ who_visits: 'Ann' }, form({ version: first }))).body
    const { version: third } = (await save({ has_visitors: 'no' }, form({ version: second }))).body
    const refused = await save({ who_visits: 'Tom' }, form({ version: first }))
    expect([refused.status, refused.body.fields['answers.who_visits']]).toEqual([
      409,
      expect.objectContaining({ base: 'Her sister', mine: 'Tom', theirs: 'Ann' }),
    ])
    expect((await save({ who_visits: 'Tom' }, form({ version: third }))).status).toBe(200)
    expect(await hidden()).toEqual({ who_visits: 'Tom' })
  })

  it('have none where one only brings the answer back that the other changes', async () => {
    await save(given)
    const { version: first } = (await save({ has_visitors: 'no' })).body
    await save({ has_visitors: 'yes' }, form({ version: first }))
    const both = await save({ has_visitors: 'yes', who_visits: 'Tom' }, form({ version: first }))
    expect([both.status, both.answers.who_visits]).toEqual([200, 'Tom'])
  })
})

describe('what no longer counts', () => {
  it('is listed in words for readers of the record, and deleted for good by people who may change it', async () => {
    await save(given)
    await save({ has_visitors: 'no' })
    const params = { id, name: 'who_visits' }
    const list = async (who = advocate) => who('issues.hiddenAnswers', { params: { id } })
    expect((await list()).body).toEqual([
      expect.objectContaining({
        name: 'who_visits',
        label: 'Who visits',
        value: 'Her sister',
        by: 'advocate Example',
      }),
    ])
    const stranger = await context.as('stranger')
    expect((await list(stranger)).status).toBe(404)
    for (const username of ['stranger', 'commissioner'])
      expect([
        username,
        (await (await context.as(username))('issues.removeHiddenAnswer', { params })).status,
      ]).toEqual([username, 404])
    for (const name of ['has_visitors', 'constructor', 'x'])
      expect((await advocate('issues.removeHiddenAnswer', { params: { id, name } })).status).toBe(404)
    const removed = await advocate('issues.removeHiddenAnswer', { params })
    expect([removed.status, removed.body.hidden_answers]).toEqual([200, {}])
    expect((await advocate('issues.removeHiddenAnswer', { params })).status).toBe(404)
    expect((await save({ has_visitors: 'yes' }, form())).answers).not.toHaveProperty('who_visits')
    const { rows } = await sql`select staff from audit where entity = 'issue' and record = ${id}
      and changes -> 'hidden_answers.who_visits' = ${JSON.stringify({ from: 'Her sister', to: null })}::jsonb`.execute(
      context.db,
    )
    expect(rows).toEqual([{ staff: advocate.id }])
  })
})

describe('what a publication hides', () => {
  it('moves by a job, as a change of the system, and comes back when it is asked again and a form is saved', async () => {
    await save(given)
    const off = await publish(visits(OFF, {}, OFF))
    await moved()
    const now = await read()
    expect(now.answers).not.toHaveProperty('who_visits')
    expect(now.answers.visit_days).toEqual([{ row: 'a', day: 'Monday' }])
    expect(now.hidden_answers).toEqual({
      has_visitors: { value: 'yes', since: expect.any(String), version: off },
      who_visits: { value: 'Her sister', since: expect.any(String), version: off },
      visit_days: { value: [{ row: 'a', note: 'With a cake' }], since: expect.any(String), version: off },
    })
    const { rows } = await sql`select staff, version from audit where entity = 'issue' and record = ${id}
      order by id desc limit 1`.execute(context.db)
    expect(rows).toEqual([{ staff: null, version: now.version }])
    const { body } = await advocate('issues.hiddenAnswers', { params: { id } })
    expect(body).toContainEqual(
      expect.objectContaining({ label: 'Who visits', by: `Version ${off} of the form` }),
    )
    const tuesday = [{ row: 'a', day: 'Tuesday' }]
    await save({ visit_phone: '01234 567890', visit_days: tuesday })
    const on = await publish(visits())
    await moved()
    expect((await read()).answers).not.toHaveProperty('who_visits')
    const back = await save({ visit_phone: null }, { case_type_version: on })
    expect(back.answers).toMatchObject({ ...given, visit_days: [{ ...tuesday[0], note: 'With a cake' }] })
    expect(back.body.hidden_answers).toEqual({})
  })

  it('moves by the job after an upgrade too, and for a server of the release before', async () => {
    await save(given)
    await publish(visits(OFF, {}, OFF))
    await moved()
    const { answers } = await read()
    // As that release leaves a record after the publication.
    await sql`update issues set answers = answers || ${JSON.stringify({ who_visits: 'Her sister' })}::jsonb,
      hidden_answers = '{}', counted_version = null where id = ${id}`.execute(context.db)
    expect(await run()).toBe(1)
    expect((await read()).answers).toEqual(answers)
    expect(await hidden()).toEqual({ who_visits: 'Her sister' })
  })

  it('counts as an answer where its field would be redefined', async () => {
    await save({ visit_kind: 1 })
    await publish(visits({}, OFF))
    await moved()
    const { body } = await admin('caseTypes.usage', { params: { id: 1 } })
    expect(body.issue_meta.visit_kind).toBeGreaterThan(0)
  })
})

describe('what somebody typed into a field that is switched off meanwhile', () => {
  it('is kept apart with the version by which they were asked, and without one ignored', async () => {
    await publish(visits(OFF, OFF, OFF))
    const sent = { has_visitors: 'yes', who_visits: 'Her sister', visit_kind: 1, visit_days: days }
    await save(sent)
    expect(await hidden()).toEqual({})
    expect((await save(sent, form())).answers).not.toHaveProperty('who_visits')
    expect(await hidden()).toEqual({ ...sent, visit_days: [{ row: 'a', note: 'With a cake' }] })
  })

  it('is kept when the field is gone for good, with its label', async () => {
    const aims = {
      name: 'aims',
      label: 'Aims',
      fields: [{ name: 'aim', label: 'Aim', type: 'text' as const }],
    }
    const shown = await publish(visits(), aims)
    await publish(visits())
    await save({ aim: 'To go home' }, { case_type_version: shown })
    await save({ aim: 'Other' })
    expect(await hidden()).toEqual({ aim: 'To go home' })
    const { body } = await advocate('issues.hiddenAnswers', { params: { id } })
    expect(body).toEqual([expect.objectContaining({ label: 'Aim', value: 'To go home' })])
  })

  it('is not kept where it is wrong', async () => {
    await publish(visits({}, OFF))
    const { status, answers } = await save({ visit_phone: 'x', has_visitors: 'no' }, form())
    expect([status, answers.has_visitors, await hidden()]).toEqual([200, 'no', {}])
    const unknown = await save({ visit_kind: 99999 }, form())
    expect(unknown.body).toEqual({ 'answers.visit_kind': ['Kind of visit must be one of the choices'] })
  })

  it.each([
    ['1', 400],
    [-1, 200],
    [1e15, 200],
    [null, 400],
  ])('refuses %j as a version', async (case_type_version, status) => {
    expect((await save({ has_visitors: 'yes' }, { case_type_version })).status).toBe(status)
  })

  it('is kept apart in a new case too', async () => {
    const body = await newCase(advocate)
    await publish(visits(OFF, OFF, OFF))
    const issue = body.issue as { answers: Values }
    Object.assign(issue.answers, { has_visitors: 'yes', who_visits: 'Her sister' })
    const made = await advocate('cases.create', { body: { ...body, case_type_version: version } })
    expect(made.status).toBe(201)
    const { body: issueMade } = await advocate('issues.read', { params: { id: made.body.issue } })
    expect(issueMade.answers).not.toHaveProperty('who_visits')
    expect(issueMade.hidden_answers).toMatchObject({
      has_visitors: { value: 'yes' },
      who_visits: { value: 'Her sister' },
    })
    const plain = await advocate('cases.create', { body: { ...body } })
    const other = (await advocate('issues.read', { params: { id: plain.body.issue } })).body.answers
    expect(other).not.toHaveProperty('who_visits')
  })
})
