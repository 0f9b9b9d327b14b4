import { sql } from 'kysely'
import { beforeAll, describe, expect, it } from 'vitest'
import { readSettings } from '../../src/server/core/settings.ts'
import { today } from '../../src/server/core/today.ts'
import { type Caller, describeServer } from './context.ts'
import { createCase } from './newCase.ts'

const TODAY = today(readSettings({}).TIME_ZONE)

const context = describeServer()
let advocate: Caller
let admin: Caller
let issue: number
beforeAll(async () => {
  advocate = await context.as('advocate')
  admin = await context.as('admin')
  issue = (await createCase(advocate)).issue
})

const change = (body: object, who = advocate) => who('issues.update', { params: { id: issue }, body })
const read = async () => (await advocate('issues.read', { params: { id: issue } })).body

describe('outcomes of an issue', () => {
  it('without details are dropped, and missing dates are today', async () => {
    const { status, body } = await change({
      desired_outcomes: [
        { row: 'a', details: 'To stay', date: '2026-02-03' },
        { row: 'b', details: 'To be heard' },
        { row: 'c', details: '  ', date: '2026-02-03' },
        { row: 'd', date: '2026-02-03' },
        { row: 'e', details: null, date: null },
      ],
    })
    expect(status).toBe(200)
    expect(body.desired_outcomes).toEqual([
      { row: 'a', details: 'To stay', date: '2026-02-03' },
      { row: 'b', details: 'To be heard', date: TODAY },
    ])
  })

  it('can all be taken away, and are then an empty list', async () => {
    await change({
      actual_outcomes: [{ row: 'a', details: 'Stayed' }],
      ndti_outcomes: [{ row: 'a', type: 1 }],
    })
    const emptied = await change({ actual_outcomes: [], ndti_outcomes: [{ row: 'a', type: null }] })
    expect([emptied.status, emptied.body.actual_outcomes, emptied.body.ndti_outcomes]).toEqual([200, [], []])
    const { rows } = await sql`select jsonb_typeof(actual_outcomes) as a, jsonb_typeof(ndti_outcomes) as n
      from issues where id = ${issue}`.execute(context.db)
    expect(rows).toEqual([{ a: 'array', n: 'array' }])
    const nulled = await change({ desired_outcomes: null })
    expect([nulled.status, nulled.body.desired_outcomes]).toEqual([200, []])
  })

  it('of an unknown type, on a day that does not exist or in the future, or of another shape are refused by name', async () => {
    const wrong: [object, string][] = [
      [{ ndti_outcomes: [{ type: 1 }, { type: 999 }] }, 'ndti_outcomes.1.type'],
      [{ ndti_outcomes: [{ type: 'x' }] }, 'ndti_outcomes.0.type'],
      [{ ndti_outcomes: [{ type: 1, date: '2099-01-01' }] }, 'ndti_outcomes.0.date'],
      [{ actual_outcomes: [{ details: 'Stayed', date: 'soon' }] }, 'actual_outcomes.0.date'],
      [{ actual_outcomes: ['Stayed'] }, 'actual_outcomes.0'],
      [{ actual_outcomes: 'Stayed' }, 'actual_outcomes'],
      [{ desired_outcomes: [{ details: 'x'.repeat(2001) }] }, 'desired_outcomes.0.details'],
    ]
    for (const [body, field] of wrong) {
      const refused = await change(body)
      expect([body, refused.status, Object.keys(refused.body)]).toEqual([body, 400, [field]])
    }
  })

  it('of one kind merge with another person’s of another kind, and conflict with those of the same', async () => {
    const { version } = await read()
    const theirs = [{ row: 't', details: 'Theirs', date: '2026-02-02' }]
    expect((await change({ version, desired_outcomes: theirs }, admin)).status).toBe(200)
    const merged = await change({ version, actual_outcomes: [{ row: 'm', details: 'Mine' }] })
    expect(merged.body).toMatchObject({ desired_outcomes: theirs, actual_outcomes: [{ details: 'Mine' }] })
    const mine = [{ row: 'm', details: 'Mine', date: '2026-02-02' }]
    const refused = await change({ version, desired_outcomes: mine })
    expect([refused.status, refused.body]).toEqual([
      409,
      expect.objectContaining({
        code: 'conflict',
        fields: {
          desired_outcomes: expect.objectContaining({ base: [], mine, theirs, by: 'admin Example' }),
        },
      }),
    ])
    expect((await change({ version, desired_outcomes: theirs })).status).toBe(200)
  })

  it('stand in the chronology in words', async () => {
    await change({ ndti_outcomes: [{ row: 'a', type: 1, date: '2026-02-03' }] })
    const { body } = await advocate('chronology.ofIssue', {
      params: { id: issue },
      query: { kind: 'outcome' },
    })
    expect(body.data[0].changes).toEqual([
      {
        field: 'ndti_outcomes',
        label: 'Outcomes for the person (NDTi)',
        from: '',
        to: 'I was listened to, 3 February 2026',
      },
    ])
  })
})
