import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { FieldAttrs, Group } from '../../src/contract/generated.ts'
import type { Values } from '../../src/contract/when.ts'
import { type Caller, startTestServer, type TestContext } from './context.ts'
import { createCase, newCase } from './newCase.ts'

interface CaseType {
  version: number
  issue_meta: Group[]
}

let context: TestContext
let admin: Caller
let advocate: Caller
let groups: Group[]
beforeAll(async () => {
  context = await startTestServer()
  admin = await context.as('admin')
  advocate = await context.as('advocate')
  groups = ((await admin('caseTypes.read', { params: { id: 1 } })).body as CaseType).issue_meta
})
afterAll(() => context?.end())

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

describe('what a publication hides', () => {
  it('is kept by an unrelated save, not told as emptied, and comes back', async () => {
    const days = [{ row: 'a', day: 'Monday', note: 'With a cake' }]
    const given = { has_visitors: 'yes', who_visits: 'Her sister', visit_days: days }
    expect((await save(given)).answers).toMatchObject(given)
    await publish(visits(OFF, {}, OFF))
    const moved = [{ row: 'a', day: 'Tuesday' }]
    const saved = await save({ visit_phone: '01234 567890', visit_days: moved })
    expect(saved.answers).toMatchObject({
      ...given,
      visit_phone: '01234 567890',
      visit_days: [{ ...moved[0], note: 'With a cake' }],
    })
    expect((await lastChange()).filter(([label]) => label === 'Who visits')).toEqual([
      ['Who visits', 'Her sister'],
    ])
    await publish(visits())
    expect((await save({ has_visitors: 'no' })).answers).not.toHaveProperty('who_visits')
  })
})

describe('what somebody typed into a field that is switched off meanwhile', () => {
  it('is kept with the version by which they were asked, and without one ignored', async () => {
    await publish(visits(OFF, OFF, OFF))
    const typed = { has_visitors: 'yes', who_visits: 'Her sister', visit_kind: 1 }
    const days = [{ row: 'a', day: 'Monday', note: 'With a cake' }]
    const sent = { ...typed, visit_days: days }
    expect((await save(sent)).answers).not.toHaveProperty('who_visits')
    expect((await save(sent, { case_type_version: version })).answers).toMatchObject(sent)
    expect(await lastChange()).toContainEqual(['Who visits', 'Her sister'])
  })

  it('is kept when the field is gone for good', async () => {
    const aims = {
      name: 'aims',
      label: 'Aims',
      fields: [{ name: 'aim', label: 'Aim', type: 'text' as const }],
    }
    const shown = await publish(visits(), aims)
    await publish(visits())
    expect((await save({ aim: 'To go home' }, { case_type_version: shown })).answers.aim).toBe('To go home')
    expect((await save({ aim: 'Other' })).answers.aim).toBe('To go home')
  })

  it('is not kept where it is wrong, or hidden by what they chose themselves', async () => {
    await publish(visits({}, OFF))
    const sent = { visit_phone: 'x', has_visitors: 'no', who_visits: 'Tom' }
    const { status, answers } = await save(sent, { case_type_version: version })
    expect([status, answers.has_visitors]).toEqual([200, 'no'])
    expect(answers).not.toHaveProperty('visit_phone')
    expect(answers).not.toHaveProperty('who_visits')
    const unknown = await save({ visit_kind: 99999 }, { case_type_version: version })
    expect(unknown.body).toEqual({ 'answers.visit_kind': ['Kind of visit must be one of the choices'] })
  })

  it.each([
    ['1', 400],
    [-1, 200],
    [1e15, 200],
    [null, 400],
  ])('is no place for %j as a version', async (case_type_version, status) => {
    expect((await save({ has_visitors: 'yes' }, { case_type_version })).status).toBe(status)
  })

  it('is kept in a new case too', async () => {
    const body = await newCase(advocate)
    await publish(visits(OFF, OFF, OFF))
    const issue = body.issue as { answers: Values }
    Object.assign(issue.answers, { has_visitors: 'yes', who_visits: 'Her sister' })
    const made = await advocate('cases.create', { body: { ...body, case_type_version: version } })
    expect(made.status).toBe(201)
    const { answers } = (await advocate('issues.read', { params: { id: made.body.issue } })).body
    expect(answers).toMatchObject({ has_visitors: 'yes', who_visits: 'Her sister' })
    const plain = await advocate('cases.create', { body: { ...body } })
    const other = (await advocate('issues.read', { params: { id: plain.body.issue } })).body.answers
    expect(other).not.toHaveProperty('who_visits')
  })
})
