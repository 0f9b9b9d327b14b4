import { describe, expect, it } from 'vitest'
import { differences } from '../../src/constructor/forms/diff.ts'
import { coverageOf } from '../../src/constructor/forms/formTestCoverage.ts'
import { impactOf } from '../../src/constructor/forms/impact.ts'
import { keepAnswered } from '../../src/constructor/forms/keepAnswered.ts'
import { applyChanges } from '../../src/contract/applyChanges.ts'
import { recordFormTest } from '../../src/contract/caseType/formTests.ts'
import { runFormTest } from '../../src/contract/caseType/runFormTest.ts'
import type { Field } from '../../src/contract/generated.ts'
import { withHidden } from '../../src/contract/hiddenRows.ts'
import { checkMeta } from '../../src/contract/meta/checkMeta.ts'
import { whyField } from '../../src/contract/meta/why.ts'
import type { Values } from '../../src/contract/when.ts'
import { ajvValidate } from '../../src/server/core/ajvValidate.ts'
import { applyEarlierVersions } from '../../src/server/records/validate/applyEarlierVersions.ts'
import { caseMeta, choice, field, group, repeat, yesno } from './metaBuilders.ts'

const TODAY = '2026-06-04'

/** Stays in hospital, each with the visits made there: what a visit asks looks at its row, its stay and the form. */
function stays(visits: Field[] = visitColumns(), attrs = {}): Field {
  return repeat('stays', [
    field('ward'),
    yesno('closed'),
    repeat('visits', visits, { max: 5, ...attrs }),
    field('minutes', 'integer', { calc: 'sum', of: ['visits.time'] }),
  ])
}

function visitColumns(): Field[] {
  return [
    field('day', 'date', { required: true }),
    choice('kind', ['call', 'visit']),
    field('time', 'integer', { max: 500 }),
    field('who', 'text', { when: { kind: 'visit', closed: 'no' } }),
    field('note', 'text', { required_when: { urgent: 'yes', ward: { set: true } } }),
  ]
}

const form = (rows = stays()) => [group('one', [yesno('urgent'), rows, total()])]
const total = () => field('all_minutes', 'integer', { calc: 'sum', of: ['stays.minutes'] })

const save = (groups = form(), stored: Values = {}, sent: Values = {}, all = true, hidden: Values = {}) =>
  applyChanges({
    groups,
    stored,
    hidden,
    sent,
    conditionContext: {},
    validateSchema: ajvValidate,
    today: TODAY,
    all,
  })

const visit = { row: 'v', day: '2026-05-01', kind: 'visit', time: 30, who: 'Her sister' }
const stay = { row: 's', ward: '4', closed: 'no', visits: [visit] }

describe('rows in the rows of a repeat', () => {
  it('are a form that can be published', () => {
    expect(checkMeta(caseMeta(...form()), { lookups: {} }).map(({ message }) => message)).toEqual([])
  })

  it('show what their own row, the row around it and the form say', () => {
    expect(save(form(), {}, { stays: [stay] }).values.stays).toMatchObject([{ visits: [visit] }])
    const closed = save(form(), {}, { stays: [{ ...stay, closed: 'yes' }] })
    expect(closed.values.stays).toMatchObject([{ visits: [{ day: '2026-05-01', kind: 'visit' }] }])
    expect(JSON.stringify(closed.values)).not.toContain('Her sister')
  })

  it('are validated each at its place', () => {
    const { day: _, ...without } = visit
    const sent = {
      urgent: 'yes',
      stays: [stay, { ...stay, visits: [without, { ...visit, time: 501, extra: 1 }] }],
    }
    expect(save(form(), {}, sent).errors).toEqual({
      'stays.0.visits.0.note': ['Enter note'],
      'stays.1.visits.0.day': ['Enter day'],
      'stays.1.visits.0.note': ['Enter note'],
      'stays.1.visits.1.note': ['Enter note'],
      'stays.1.visits.1.time': ['Time must be 500 or less'],
    })
  })

  it('are refused where there are too many, without a look at those', () => {
    const many = Array.from({ length: 6 }, () => ({ time: 'much' }))
    const { errors } = save(form(), {}, { stays: [{ ...stay, visits: many.map(() => visit) }] })
    expect(errors).toEqual({ 'stays.0.visits': ['Visits must have at most 5'] })
  })

  it('are added up row by row', () => {
    const sent = { stays: [{ ...stay, visits: [visit, visit] }, stay, { ward: '5' }] }
    const { values } = save(form(), {}, sent)
    expect(values).toMatchObject({
      all_minutes: 90,
      stays: [{ minutes: 60 }, { minutes: 30 }, { ward: '5' }],
    })
  })

  it('keep the answers that a published form hides, by their row ids', () => {
    const stored = save(form(), {}, { stays: [stay] }).values
    const off = visitColumns().map((one) => (one.name === 'time' ? { ...one, attrs: { is_on: false } } : one))
    const later = save(form(stays(off)), stored, { urgent: 'no' }, false)
    expect(JSON.stringify(later.values)).not.toContain('"time":')
    expect(later.hidden).toEqual({ stays: [{ row: 's', visits: [{ row: 'v', time: 30 }] }] })
    const moved = [
      {
        ...stay,
        visits: [
          { row: 'w', day: '2026-05-02' },
          { row: 'v', day: '2026-05-03' },
        ],
      },
    ]
    const changed = save(form(stays(off)), later.values, { stays: moved }, false, later.hidden)
    expect(changed.hidden).toMatchObject(later.hidden)
    expect(withHidden(changed.values, changed.hidden).stays).toMatchObject([
      { visits: [{ row: 'w' }, { row: 'v', day: '2026-05-03', time: 30 }] },
    ])
  })

  it('keep what somebody answered in an open form of the version before', async () => {
    const without = visitColumns().filter(({ name }) => name !== 'time')
    const options = {
      groups: form(stays(without)),
      stored: {},
      hidden: {},
      sent: { stays: [stay] },
      conditionContext: {},
      validateSchema: ajvValidate,
      today: TODAY,
    }
    expect(applyChanges({ ...options, all: true }).values.stays).not.toMatchObject([
      { visits: [{ time: 30 }] },
    ])
    const { values, hidden } = await applyEarlierVersions(options, [form()], async () => undefined)
    expect(JSON.stringify(values)).not.toContain('"time":')
    expect(hidden.stays).toEqual([{ row: 's', visits: [{ row: 'v', time: 30 }] }])
  })
})

describe('the description of a column in such rows', () => {
  it('says why it is shown, hidden and required', () => {
    const answers = { urgent: 'yes', stays: [stay, { ...stay, closed: 'yes' }] }
    const why = (path: string) => whyField(form(), path, { answers })
    expect(why('stays.0.visits.0.who').visibleReasons).toEqual([
      "'Who' is shown because 'Kind' is Visit and 'Closed' is No.",
    ])
    expect(why('stays.1.visits.0.who')).toMatchObject({
      isVisible: false,
      visibleReasons: ["'Who' is shown only when 'Kind' is Visit and 'Closed' is No; 'Closed' is now Yes."],
    })
    expect(why('stays.0.visits.0.note').required).toEqual([
      "'Note' must be answered because 'Urgent' is Yes and 'Ward' has a value.",
    ])
    expect(why('stays.visits.who').isVisible).toBe(false)
    expect(why('stays.0.visits.0.gone').visibleReasons).toEqual([
      "There is no field 'stays.0.visits.0.gone'.",
    ])
  })

  it('says why where the rows around it are hidden', () => {
    const hidden = stays(visitColumns(), { when: { closed: 'no' } })
    const answers = { stays: [{ ...stay, closed: 'yes' }] }
    expect(whyField(form(hidden), 'stays.0.visits.0.day', { answers }).visibleReasons).toEqual([
      "'Visits' is shown only when 'Closed' is No; 'Closed' is now Yes.",
    ])
  })

  it('compares versions and describes what a publication changes', () => {
    const changed = visitColumns().map((one) =>
      one.name === 'time' ? { ...one, attrs: { max: 100, required: true } } : one,
    )
    const [before, after] = [caseMeta(...form()), caseMeta(...form(stays(changed)))]
    expect(differences(before, after)).toMatchObject([
      { path: ['One', 'Stays', 'Visits', 'Time'], change: 'changed' },
    ])
    const usage = { cases: 9, issues: 0, case_meta: { stays: 4 }, issue_meta: {} }
    expect(impactOf(before, after, usage).map(({ field: name, words }) => [name, words])).toEqual([
      [
        'stays',
        "'Time' of 'Visits' is required now: 4 of 9 cases have an answer; a row without it is asked for it",
      ],
      [
        'stays',
        "'Time' of 'Visits' must be at most 100 now: 4 of 9 cases have an answer; one that breaks this stays until it is changed",
      ],
    ])
  })

  it('keeps choices that records hold when an old version is taken up', () => {
    const [, kind, ...rest] = visitColumns()
    const before = caseMeta(...form(stays([choice('kind', ['call']), ...rest])))
    const now = caseMeta(...form(stays([kind, ...rest])))
    const usage = {
      case_meta: { stays: 2 },
      issue_meta: {},
      choices: { case_meta: { 'stays.visits.kind': { visit: 1 } }, issue_meta: {} },
    }
    const { metas, kept } = keepAnswered(before, now, usage)
    expect(kept).toEqual({ fields: 0, choices: 1 })
    expect(JSON.stringify(metas)).toContain('{"value":"visit","label":"Visit","active":false}')
    expect(checkMeta(before, { lookups: {} }, { meta: now, usage }).map(({ message }) => message)).toContain(
      "'Visit' of 'Kind' is answered in 1 case, so it must stay; retire it instead",
    )
  })

  it('is recorded and run as a form test, and counts as covered', () => {
    const deps = { validateSchema: ajvValidate, conditionContext: {} }
    const given = { stays: [{ ...stay, visits: [visit, { row: 'w', kind: 'call' }] }] }
    const test = recordFormTest(
      form(),
      { name: 'Visits', meta: 'case_meta', given, as: { today: TODAY, roles: [] } },
      deps,
    )
    expect(test.expect).toMatchObject({
      visible: ['stays', 'stays.0.visits.0.who'],
      hidden: ['stays.0.visits.1.who'],
      required: ['stays.0.visits.0.day', 'stays.0.visits.1.day'],
      calculated: { 'stays.0.minutes': 30, all_minutes: 30 },
    })
    expect(runFormTest(form(), test, deps)).toEqual([])
    const always = visitColumns().map((one) => (one.name === 'who' ? field('who') : one))
    expect(runFormTest(form(stays(always)), test, deps).map(({ message }) => message)).toEqual([
      "'Who' in row 2 of 'Visits' in row 1 of 'Stays' should not be shown and is. 'Who' is always shown.",
    ])
    const covered = coverageOf(caseMeta(...form()), [test], deps.conditionContext)
    expect(covered.map(({ address, hasHeld, hasFailed }) => [address.at(-1), hasHeld, hasFailed])).toEqual([
      ['who', true, true],
      ['note', false, true],
    ])
  })

  it('is refused where it goes in a circle', () => {
    const circle = visitColumns().map((one) =>
      one.name === 'time' ? { ...one, attrs: { calc: 'add', of: ['minutes', 1] } as Field['attrs'] } : one,
    )
    expect(
      checkMeta(caseMeta(...form(stays(circle))), { lookups: {} }).map(({ message }) => message)[0],
    ).toContain('depend on each other')
  })
})
