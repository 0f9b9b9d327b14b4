import { beforeAll, expect, it } from 'vitest'
import type { Field, Group } from '../../src/contract/generated.ts'
import type { Values } from '../../src/contract/when.ts'
import { type Caller, describeServer } from './context.ts'
import { createCase } from './newCase.ts'

const columns: Field[] = [
  { name: 'day', label: 'Day', type: 'date', attrs: { required: true } },
  {
    name: 'kind',
    label: 'Kind',
    type: 'multiselect',
    attrs: {
      options: [
        { value: 'call', label: 'Call' },
        { value: 'visit', label: 'Visit' },
      ],
    },
  },
  { name: 'need', label: 'Need', type: 'select', attrs: { lookup: 'comm_needs' } },
  { name: 'paper', label: 'Paper', type: 'file' },
]
const stays = (visits: Field[]): Group => ({
  name: 'hospital',
  label: 'Hospital',
  fields: [
    {
      name: 'stays',
      label: 'Stays',
      type: 'repeat',
      attrs: { max: 20 },
      fields: [
        { name: 'ward', label: 'Ward', type: 'text' },
        { name: 'visits', label: 'Visits', type: 'repeat', attrs: { max: 10 }, fields: visits },
      ],
    },
  ],
})

const context = describeServer()
let admin: Caller
let advocate: Caller
let issue: number
beforeAll(async () => {
  admin = await context.as('admin')
  advocate = await context.as('advocate')
  await publish(columns)
  issue = (await createCase(advocate)).issue
})

async function publish(visits: Field[]) {
  const { version, issue_meta } = (await admin('caseTypes.read', { params: { id: 1 } })).body
  const others = (issue_meta as Group[]).filter(({ name }) => name !== 'hospital')
  const body = { version, issue_meta: [...others, stays(visits)] }
  return admin('caseTypes.update', { params: { id: 1 }, body })
}
const save = (answers: Values) => advocate('issues.update', { params: { id: issue }, body: { answers } })

it('rows in rows are stored, described in the chronology, and refused where one is wrong', async () => {
  const visit = { row: 'v', day: '2026-05-01', kind: ['call', 'visit'], need: 1 }
  const given = {
    stays: [{ row: 'a', ward: '4', visits: [visit, { row: 'w', day: '2026-05-02' }] }, { row: 'b' }],
  }
  const { status, body } = await save(given)
  expect([status, body.answers.stays]).toEqual([200, given.stays])
  const chronology = await advocate('chronology.ofIssue', {
    params: { id: issue },
    query: { page_size: 500 },
  })
  expect(JSON.stringify(chronology.body)).toContain('4, 1 May 2026, Call, Visit, ')
  const wrong = (other: Values) => ({ stays: [{ row: 'a', visits: [visit, { row: 'w', ...other }] }] })
  expect((await save(wrong({ day: 'soon' }))).body).toEqual({
    'answers.stays.0.visits.1.day': ['Day must be a real date'],
  })
  expect((await save(wrong({ day: '2026-05-02', need: 99999 }))).body).toEqual({
    'answers.stays.0.visits.1.need': ['Need must be one of the choices'],
  })
  const file = await save({ stays: [{ row: 'a', visits: [{ ...visit, paper: 99999 }] }] })
  expect(file.body).toEqual({ 'answers.stays.0.visits.0.paper': ['Paper: this file cannot be used here'] })
})

it('a choice that stands in rows of rows is counted, and cannot be removed', async () => {
  const usage = await admin('caseTypes.usage', { params: { id: 1 } })
  expect(usage.body.choices.issue_meta['stays.visits.kind']).toEqual({ call: 1, visit: 1 })
  const [day, kind, ...rest] = columns
  const without = { ...kind, attrs: { options: kind.attrs!.options!.slice(0, 1) } }
  const { status, body } = await publish([day, without, ...rest])
  expect([status, Object.values(body).flat()]).toEqual([
    400,
    ["'Visit' of 'Kind' is answered in 1 issue, so it must stay; retire it instead"],
  ])
})
