import { sql } from 'kysely'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Group } from '../../src/contract/generated.ts'
import type { SeenValues } from '../../src/contract/seen.ts'
import { visible } from '../../src/contract/visible.ts'
import type { Values } from '../../src/contract/when.ts'
import { revalidateRecords } from '../../src/server/records/validate/revalidateRecords.ts'
import { type Caller, describeServer } from './context.ts'
import { createCase, newCase } from './newCase.ts'

const context = describeServer()
let admin: Caller
let advocate: Caller
let metas: { case_meta: Group[]; issue_meta: Group[] }
beforeAll(async () => {
  admin = await context.as('admin')
  advocate = await context.as('advocate')
  const { case_meta, issue_meta } = (await admin('caseTypes.read', { params: { id: 1 } })).body
  metas = { case_meta, issue_meta }
})

const RISK = [
  { value: 'high', label: 'High' },
  { value: 'low', label: 'Low' },
]
const ofCase: Group = {
  name: 'home',
  label: 'Home',
  fields: [
    { name: 'setting', label: 'Setting', type: 'select', attrs: { options: RISK } },
    {
      name: 'old_setting',
      label: 'Setting before',
      type: 'text',
      attrs: { when: { '$last.setting': 'high' } },
    },
  ],
}
const ofIssue: Group = {
  name: 'back',
  label: 'Looking back',
  fields: [
    {
      name: 'guardian',
      label: 'Guardian',
      type: 'text',
      attrs: { when: { '$client.dob': { min: '2015-01-01' } } },
    },
    {
      name: 'born',
      label: 'Born in care',
      type: 'date',
      attrs: {
        calc: 'choose',
        choose: [{ when: { guardian: { set: true } }, then: '$client.dob' }, {}],
        report: true,
      },
    },
    { name: 'in_care', label: 'In care', type: 'text', attrs: { when: { '$case.setting': 'high' } } },
    {
      name: 'risk',
      label: 'Risk',
      type: 'select',
      attrs: { options: RISK, help: 'Last time: {$last.risk}' },
    },
    { name: 'why_still', label: 'Why still', type: 'text', attrs: { when: { '$last.risk': 'high' } } },
    { name: 'points', label: 'Points', type: 'integer' },
    {
      name: 'change',
      label: 'Change',
      type: 'integer',
      attrs: { calc: 'subtract', of: ['points', '$last.points'] },
    },
    { name: 'carer', label: 'Carer', type: 'text', attrs: { default: { from: '$last.carer' } } },
    {
      name: 'visits',
      label: 'Visits',
      type: 'integer',
      attrs: {
        checks: [
          {
            when: { visits: { max: { path: '$last.points' } } },
            message: '{visits} are fewer than last time, {$last.points}',
          },
        ],
      },
    },
  ],
}

async function publish(more: { case_meta?: Group[]; issue_meta?: Group[] }) {
  const { version } = (await admin('caseTypes.read', { params: { id: 1 } })).body
  const body = {
    version,
    case_meta: [...metas.case_meta, ...(more.case_meta ?? [])],
    issue_meta: [...metas.issue_meta, ...(more.issue_meta ?? [])],
  }
  return admin('caseTypes.update', { params: { id: 1 }, body })
}

beforeAll(async () => {
  const published = await publish({ case_meta: [ofCase], issue_meta: [ofIssue] })
  expect([published.status, published.body.message]).toEqual([200, undefined])
})

const on = (id: number, body?: Values) => ({ params: { id }, ...(body && { body }) })
const save = (id: number, answers: Values, who = advocate) => who('issues.update', on(id, { answers }))
const read = async (id: number, who = advocate) => (await who('issues.read', on(id))).body
const seenBy = async (id: number, who = advocate) => (await read(id, who)).answers_seen as SeenValues
const minor = (more: Values = {}) => ({
  client: { first_name: 'Mia', last_name: `Example${Math.random()}`, dob: '2016-05-03' },
  ...more,
})

/** A further case of a client; its issue is that of the person. */
async function caseOf(client: number, advocateId: number, more: Values = {}) {
  const { status, body } = await admin('cases.create', {
    body: { ...(await newCase(admin)), client, ...more },
  })
  expect(status).toBe(201)
  await sql`update issues set advocate = ${advocateId} where id = ${body.issue}`.execute(context.db)
  return body as { id: number; client: number; issue: number }
}

describe('a form that looks at the client and the case', () => {
  it('is evaluated with what was there when it was saved, until somebody takes the latest', async () => {
    const { issue, client } = await createCase(advocate, 1, minor())
    const saved = (await save(issue, { guardian: 'Her aunt' })).body
    expect(saved.answers).toMatchObject({ guardian: 'Her aunt', born: '2016-05-03' })
    expect((await seenBy(issue))['$client.dob']).toMatchObject({ value: '2016-05-03', record: client })
    await sql`update clients set dob = '1980-01-01' where id = ${client}`.execute(context.db)
    const later = await save(issue, { guardian: 'Her uncle' })
    expect([later.status, later.body.answers.guardian]).toEqual([200, 'Her uncle'])
    expect(later.body.answers_seen['$client.dob'].value).toBe('2016-05-03')
    const latest = await advocate('issues.takeLatest', on(issue))
    expect([latest.status, latest.body.answers_seen['$client.dob'].value]).toEqual([200, '1980-01-01'])
    expect([latest.body.answers.guardian, latest.body.hidden_answers.guardian.value]).toEqual([
      undefined,
      'Her uncle',
    ])
  })

  it('is found by a value by conditions from the client, as it was saved', async () => {
    const { id, issue, client } = await createCase(advocate, 1, minor())
    await save(issue, { guardian: 'Her aunt' })
    const found = async (born: string) => {
      const { body } = await admin('search.cases', {
        body: { answers: `1.issue.born.between.${born}.${born}` },
        query: { page_size: 500 },
      })
      return body.data.some((row: { id: number }) => row.id === id)
    }
    await sql`update clients set dob = '2017-05-03' where id = ${client}`.execute(context.db)
    expect([await found('2016-05-03'), await found('2017-05-03')]).toEqual([true, false])
    await advocate('issues.takeLatest', on(issue))
    expect([await found('2016-05-03'), await found('2017-05-03')]).toEqual([false, true])
    await save(issue, { guardian: null })
    expect(await found('2017-05-03')).toBe(false)
  })

  it('keeps and ignores the answers that the browser shows and hides by the values of the reply', async () => {
    for (const [dob, setting] of [
      ['2016-05-03', 'low'],
      ['1980-01-01', 'high'],
      [null, undefined],
    ]) {
      const made = await newCase(advocate)
      const answers = { ...(made.case as { answers: Values }).answers, ...(setting && { setting }) }
      const { issue } = await createCase(advocate, 1, {
        client: { first_name: 'Mia', last_name: `Example${Math.random()}`, dob },
        case: { ...(made.case as Values), answers },
      })
      const { answers: stored, answers_seen } = await read(issue)
      const shown = visible([ofIssue], {
        answers: stored,
        seen: { values: answers_seen, fields: new Map() },
      }).flatMap((group) => group.fields.map(({ name }) => name))
      const sent = { guardian: 'A', in_care: 'B', why_still: 'C' }
      const kept = Object.keys((await save(issue, sent)).body.answers)
      expect(kept.filter((name) => name in sent).sort()).toEqual(
        Object.keys(sent)
          .filter((name) => shown.includes(name))
          .sort(),
      )
      expect(kept.includes('guardian')).toBe(dob === '2016-05-03')
      expect(kept.includes('in_care')).toBe(setting === 'high')
    }
  })

  it('has what was there at a publication in records that nobody saves', async () => {
    const { issue, client } = await createCase(advocate, 1, minor())
    await sql`update issues set answers_seen = '{}', validated_version = null, counted_version = null where id = ${issue}`.execute(
      context.db,
    )
    await revalidateRecords({
      db: context.db,
      timeZone: 'Europe/London',
      bankHolidays: 'england-and-wales',
      ending: new AbortController().signal,
    })
    await sql`update clients set dob = '1980-01-01' where id = ${client}`.execute(context.db)
    expect((await seenBy(issue))['$client.dob'].value).toBe('2016-05-03')
  })
})

describe('a form that looks at the last record', () => {
  let first: { id: number; client: number; issue: number }
  let next: { id: number; client: number; issue: number }
  let manager: Caller
  beforeEach(async () => {
    manager = admin
    first = await createCase(advocate, 1, minor())
    await save(first.issue, { risk: 'high', points: 7, carer: 'Rose' })
    next = await caseOf(first.client, advocate.id)
  })
  /** The first issue goes to somebody whose work the advocate does not see. */
  const hideFirst = () =>
    sql`update issues set advocate = (select id from staff where username = 'stranger'), created_by = ${admin.id},
      start_date = '2020-01-01' where id = ${first.issue}`.execute(context.db)

  it('begins as that was, compares with it and says its day', async () => {
    const { body } = await advocate('clients.lastForCase', { params: { id: first.client, case_type: 1 } })
    expect(body.issue_meta['$last.risk']).toMatchObject({ value: null, record: next.issue })
    const saved = await save(next.issue, { points: 9, why_still: 'Alone' })
    expect(saved.body.answers).toMatchObject({ change: 2, why_still: 'Alone' })
    expect(saved.body.answers_seen['$last.risk']).toEqual({
      value: 'high',
      record: first.issue,
      day: '2026-02-01',
    })
    const help = visible([ofIssue], {
      seen: {
        values: saved.body.answers_seen,
        fields: new Map(ofIssue.fields.map((f) => [`$last.${f.name}`, f])),
      },
    })[0].fields.find(({ name }) => name === 'risk')!.attrs!.help
    expect(help).toBe('Last time: High, 1 February 2026')
    await save(first.issue, { risk: 'low', points: 1 })
    expect((await save(next.issue, { points: 10 })).body.answers).toMatchObject({
      change: 3,
      why_still: 'Alone',
    })
    const refused = await save(next.issue, { visits: 6 })
    expect([refused.status, refused.body]).toEqual([
      400,
      { 'answers.visits': ['6 are fewer than last time, 7, 1 February 2026'] },
    ])
    const latest = await advocate('issues.takeLatest', on(next.issue))
    expect(latest.body.answers).toMatchObject({ change: 9 })
    expect(latest.body.answers.why_still).toBeUndefined()
  })

  it('shows nobody a value of a record that they do not see, nor what follows from it', async () => {
    await save(next.issue, { points: 9, why_still: 'Alone' }, manager)
    const { version: before } = await read(next.issue, manager)
    await save(next.issue, { why_still: 'Alone at home' }, manager)
    await hideFirst()
    expect((await advocate('issues.read', on(first.issue))).status).toBe(404)

    const mine = await read(next.issue)
    expect(mine.answers_seen['$last.risk']).toEqual({ value: null, isWithheld: true })
    expect(mine.answers).toMatchObject({ points: 9 })
    const secret = /high|"?Alone|Rose|"change"|why_still/
    expect(JSON.stringify({ ...mine, answers_seen: null })).not.toMatch(secret)
    // What they send to such a field is ignored, whatever the value that they do not see.
    const saved = await save(next.issue, { why_still: 'Guess', change: 1, visits: 3, points: 4 })
    expect(saved.status).toBe(200)
    expect(JSON.stringify({ ...saved.body, answers_seen: null })).not.toMatch(secret)
    const stale = await advocate(
      'issues.update',
      on(next.issue, { version: before, answers: { why_still: 'Guess' } }),
    )
    expect([stale.status, JSON.stringify(stale.body).match(/Alone/)]).toEqual([200, null])
    const history = await advocate('chronology.ofIssue', {
      params: { id: next.issue },
      query: { page_size: 500 },
    })
    expect(JSON.stringify(history.body.data)).not.toMatch(/Alone|Why still|Change/)
    const latest = await advocate('issues.takeLatest', on(next.issue))
    expect(latest.body.answers_seen['$last.risk']).toEqual({ value: null, isWithheld: true })
    expect(JSON.stringify({ ...latest.body, answers_seen: null })).not.toMatch(secret)
    for (const call of ['issues.missing', 'issues.hiddenAnswers', 'issues.closingForm'])
      expect(JSON.stringify((await advocate(call, on(next.issue))).body)).not.toMatch(
        /Alone|Why still|Change/,
      )

    const theirs = await read(next.issue, manager)
    expect(theirs.answers).toMatchObject({ why_still: 'Alone at home', change: -3 })
    const whole = await manager('chronology.ofIssue', {
      params: { id: next.issue },
      query: { page_size: 500 },
    })
    expect(JSON.stringify(whole.body.data)).toMatch(/Alone at home/)
  })

  it('passes nothing on through a record in between', async () => {
    await save(next.issue, { points: 9, why_still: 'Alone' }, manager)
    const third = await caseOf(first.client, advocate.id)
    await save(third.issue, { points: 5 }, manager)
    await hideFirst()
    const mine = await read(third.issue)
    expect(mine.answers_seen['$last.points']).toMatchObject({ value: 9, record: next.issue })
    expect(mine.answers).toMatchObject({ change: -4 })
    expect((await seenBy(next.issue))['$last.points']).toEqual({ value: null, isWithheld: true })
  })

  it('looks back as far as the person who saves it sees', async () => {
    // As if nobody had saved it with this form.
    await sql`update issues set answers_seen = '{}' where id = ${next.issue}`.execute(context.db)
    await hideFirst()
    const saved = await save(next.issue, { points: 9, why_still: 'Alone' })
    expect(saved.body.answers_seen['$last.risk']).toEqual({ value: null })
    expect([saved.body.answers.why_still, saved.body.answers.change]).toEqual([undefined, undefined])
    expect((await seenBy(next.issue, manager))['$last.risk']).toEqual({ value: null })
  })

  describe('finds the last one', () => {
    const lastRiskOf = async (issue: number) => {
      await sql`update issues set answers_seen = '{}' where id = ${issue}`.execute(context.db)
      const { body } = await save(issue, { points: Math.floor(Math.random() * 1000) })
      return body.answers_seen['$last.risk'].value
    }
    const began = (issue: number, day: string) =>
      sql`update issues set start_date = ${day} where id = ${issue}`.execute(context.db)

    it('by its day, of one day by its number', async () => {
      const third = await caseOf(first.client, advocate.id)
      await save(next.issue, { risk: 'low' })
      // Entered later, but begun earlier.
      await began(next.issue, '2025-01-01')
      await began(first.issue, '2025-06-01')
      await began(third.issue, '2026-02-01')
      expect(await lastRiskOf(third.issue)).toBe('high')
      await began(next.issue, '2025-06-01')
      expect(await lastRiskOf(third.issue)).toBe('low')
      expect(await lastRiskOf(next.issue)).toBe('high')
      await began(next.issue, '2025-07-01')
      const { body } = await advocate('clients.lastForCase', { params: { id: first.client, case_type: 1 } })
      expect(body.issue_meta['$last.risk']).toMatchObject({ value: null, record: third.issue })
      await began(third.issue, '2024-01-01')
      expect(await lastRiskOf(third.issue)).toBeNull()
      expect(
        (await advocate('clients.lastForCase', { params: { id: first.client, case_type: 1 } })).body,
      ).toMatchObject({
        issue_meta: { '$last.risk': { value: 'low', record: next.issue, day: '2025-07-01' } },
      })
    })

    it('among those that are not retired, and not in itself', async () => {
      expect(await lastRiskOf(first.issue)).toBeNull()
      await sql`update issues set status = 2 where id = ${first.issue}`.execute(context.db)
      expect(await lastRiskOf(next.issue)).toBeNull()
      await sql`update issues set status = 1 where id = ${first.issue}`.execute(context.db)
      await sql`update cases set status = 2 where id = ${first.id}`.execute(context.db)
      expect(await lastRiskOf(next.issue)).toBeNull()
      await sql`update cases set status = 1 where id = ${first.id}`.execute(context.db)
      expect(await lastRiskOf(next.issue)).toBe('high')
    })
  })

  it('forgets what it read from a record that is purged', async () => {
    await save(next.issue, { points: 9 })
    await sql`update issues set is_opened = false, close_date = '2010-01-01', start_date = '2010-01-01',
      updated_at = '2010-01-01' where id = ${first.issue}`.execute(context.db)
    await sql`update cases set touched_at = '2010-01-01', updated_at = '2010-01-01' where id = ${first.id}`.execute(
      context.db,
    )
    const purged = await advocate('cases.purge', on(first.id))
    expect([purged.status, purged.body]).toEqual([200, { id: first.id }])
    const { rows } = await sql<{ seen: SeenValues }>`select answers_seen as seen from issues
      where id = ${next.issue}`.execute(context.db)
    expect(Object.keys(rows[0].seen).filter((path) => path.startsWith('$last'))).toEqual([])
    expect(rows[0].seen['$client.dob']).toBeDefined()
  })

  it('starts the next form with the values of the last one', async () => {
    const { body } = await advocate('cases.lastForIssue', { params: { id: first.id, case_type: 1 } })
    expect(body.issue_meta['$last.carer']).toMatchObject({ record: next.issue })
    expect((await advocate('caseTypes.read', on(1))).body.looks_back).toBe(1)
    const added = await advocate(
      'cases.addIssue',
      on(first.id, { ...((await newCase(advocate)).issue as Values) }),
    )
    expect(added.status).toBe(201)
  })
})

describe('the check before a publication', () => {
  const refusals = async (
    field: Group['fields'][number],
    meta: 'case_meta' | 'issue_meta' = 'issue_meta',
  ) => {
    const group = { name: 'tried', label: 'Tried', fields: [field] }
    const { status, body } = await publish({
      case_meta: [ofCase, ...(meta === 'case_meta' ? [group] : [])],
      issue_meta: [ofIssue, ...(meta === 'issue_meta' ? [group] : [])],
    })
    return status === 200 ? [] : JSON.stringify(body)
  }
  it('refuses names that are not there, wrong types, and what more people see than the last record', async () => {
    const text = (attrs: Values) =>
      ({ name: 'tried', label: 'Tried', type: 'text', attrs }) as Group['fields'][number]
    expect(await refusals(text({ when: { '$client.birthday': { set: true } } }))).toMatch('$client.birthday')
    expect(await refusals(text({ when: { '$case.setting': 'medium' } }))).toMatch("no choice 'medium'")
    expect(await refusals(text({ when: { '$case.setting': 'high' } }), 'case_meta')).toMatch('$case.setting')
    expect(await refusals(text({ when: { '$case.old_setting': 'x' } }))).toMatch('$case.old_setting')
    expect(await refusals(text({ default: { from: '$last.points' } }))).toMatch('of another kind')
    expect(await refusals(text({ help: 'Now {$client.hubs}' }))).toMatch('$client.hubs')
    expect(await refusals(text({ report: true, when: { '$last.risk': 'high' } }))).toMatch('searched')
    expect(await refusals(text({ report: true, when: { why_still: 'x' } }))).toMatch('searched')
    const chosen = text({ report: true, calc: 'choose', choose: [{ then: '$last.carer' }] })
    expect(await refusals(chosen)).toMatch('searched')
  })
})
