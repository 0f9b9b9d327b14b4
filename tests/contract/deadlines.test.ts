import { describe, expect, it } from 'vitest'
import { loadContract } from '../../src/check/load.ts'
import { checkDeadlines } from '../../src/contract/deadlines/checkDeadlines.ts'
import { deadlineState } from '../../src/contract/deadlines/deadlineState.ts'
import { describeDeadline } from '../../src/contract/deadlines/describeDeadline.ts'
import { type DeadlineFacts, evaluateDeadline } from '../../src/contract/deadlines/evaluateDeadline.ts'
import { nextPauses } from '../../src/contract/deadlines/pauses.ts'
import type { Deadline } from '../../src/contract/generated.ts'
import type { Values } from '../../src/contract/when.ts'
import { field, group, yesno } from './metaBuilders.ts'

const FIRST_CONTACT: Deadline = {
  name: 'first_contact',
  label: 'First contact',
  of: 'issue',
  from: 'record.start_date',
  within: { working_days: 2 },
  met_by: { actions: [1, 6, 7] },
}
const VISIT: Deadline = {
  name: 'visit',
  label: 'Visit',
  of: 'issue',
  from: 'record.start_date',
  every: { weeks: '$case.visit_every_weeks' },
  met_by: { actions: [6] },
  until: '$case.authorised_to',
}
const AUTHORISATION: Deadline = {
  name: 'authorisation',
  label: 'Authorisation ends',
  of: 'case',
  at: 'authorised_to',
  warn: { days: 28 },
}
const REPORT: Deadline = {
  name: 'report',
  label: 'Report',
  of: 'issue',
  from: '$case.consent_date',
  within: { days: 28 },
  met_by: { field: 'report_sent' },
  paused: { when: { waiting_for_papers: 'yes' } },
}

const CHRISTMAS = new Set(['2026-12-25', '2026-12-28'])

interface Given extends Partial<Omit<DeadlineFacts, 'context'>> {
  answers?: Values
  record?: Values
  caseRecord?: Values
}

function evaluate(deadline: Deadline, { answers, record, caseRecord, ...facts }: Given) {
  return evaluateDeadline(deadline, {
    context: { answers, record, with: { case: caseRecord } },
    entries: [],
    pauses: [],
    holidays: CHRISTMAS,
    version: 1,
    ended: [],
    ...facts,
  })
}
const visitOn = (day: string, id = 1) => ({ id, day, action_type: 6 })

describe('a deadline', () => {
  it('is due after working days, without bank holidays', () => {
    const { current } = evaluate(FIRST_CONTACT, { record: { start_date: '2026-12-23' } })
    expect(current).toMatchObject({ from: '2026-12-23', due: '2026-12-29' })
    expect(['2026-12-28', '2026-12-29', '2026-12-30'].map((day) => deadlineState(current, day))).toEqual([
      'due',
      'soon',
      'late',
    ])
  })

  it('is none while the day that it is counted from is missing', () => {
    expect(evaluate(REPORT, { caseRecord: {} })).toEqual({ ended: [], current: undefined })
    expect(evaluate(VISIT, { record: { start_date: '2026-10-01' }, caseRecord: {} }).current).toBeUndefined()
  })

  it('is counted again from the day that met the last one, also if that was early', () => {
    const { ended, current } = evaluate(VISIT, {
      record: { start_date: '2026-10-01' },
      caseRecord: { visit_every_weeks: 4 },
      entries: [
        visitOn('2026-10-20', 1),
        visitOn('2026-10-20', 2),
        { ...visitOn('2026-10-21', 3), action_type: 3 },
      ],
    })
    expect(ended).toMatchObject([{ due: '2026-10-29', metOn: '2026-10-20', by: 1 }])
    expect(current).toMatchObject({ from: '2026-10-20', due: '2026-11-17' })
  })

  it('stays late as one, however many periods have passed', () => {
    const { ended, current } = evaluate(VISIT, {
      record: { start_date: '2026-01-01' },
      caseRecord: { visit_every_weeks: 4 },
    })
    expect(ended).toEqual([])
    expect(current).toMatchObject({ due: '2026-01-29' })
    expect(deadlineState(current, '2026-11-26')).toBe('late')
  })

  it('does not arise after its end, and one that was missed before stays', () => {
    const record = { start_date: '2026-10-01' }
    const until = (authorised_to: string) =>
      evaluate(VISIT, { record, caseRecord: { visit_every_weeks: 4, authorised_to } }).current
    expect(until('2026-10-28')).toBeUndefined()
    expect(deadlineState(until('2026-11-10'), '2026-11-10')).toBe('late')
    expect(deadlineState(until('2026-11-10'), '2026-11-11')).toBe('missed')
  })

  it('ends with its record, and was missed only if it was late by then', () => {
    const closedOn = (day: string) =>
      evaluate(VISIT, {
        record: { start_date: '2026-10-01' },
        caseRecord: { visit_every_weeks: 4 },
        closedOn: day,
      }).current
    expect(closedOn('2026-10-29')).toBeUndefined()
    expect(deadlineState(closedOn('2026-10-30'), '2026-10-30')).toBe('missed')
  })

  it('is met by a date in a field, whenever that is', () => {
    const caseRecord = { consent_date: '2026-10-01' }
    const { ended, current } = evaluate(REPORT, { caseRecord, answers: { report_sent: '2026-10-20' } })
    expect(ended).toMatchObject([{ due: '2026-10-29', metOn: '2026-10-20', by: 'report_sent' }])
    expect(current).toBeUndefined()
    expect(evaluate(REPORT, { caseRecord, ended, answers: {} })).toMatchObject({
      ended: [],
      current: { due: '2026-10-29' },
    })
  })

  it('moves by the days of its pauses and keeps its state meanwhile', () => {
    const caseRecord = { consent_date: '2026-10-01' }
    const paused = nextPauses([], true, '2026-10-20')
    expect(nextPauses(paused, true, '2026-10-22')).toBe(paused)
    const standing = evaluate(REPORT, { caseRecord, pauses: paused }).current
    expect(standing).toMatchObject({ due: '2026-10-29', pausedSince: '2026-10-20' })
    expect(deadlineState(standing, '2026-12-01')).toBe('due')
    const over = nextPauses(paused, false, '2026-10-26')
    expect(evaluate(REPORT, { caseRecord, pauses: over }).current).toMatchObject({
      due: '2026-11-04',
      pausedDays: 6,
    })
    expect(nextPauses(paused, false, '2026-10-20')).toEqual([])
  })

  it('is due on a day that somebody entered, soon from its warning', () => {
    const { current } = evaluate(AUTHORISATION, { answers: { authorised_to: '2026-12-14' } })
    expect(current).toMatchObject({ due: '2026-12-14', warnFrom: '2026-11-16' })
    expect(deadlineState(current, '2026-11-26')).toBe('soon')
  })

  it('is met again otherwise if its action is moved or gone', () => {
    const given = { record: { start_date: '2026-10-01' }, caseRecord: { visit_every_weeks: 4 } }
    const entries = [visitOn('2026-10-20', 1), visitOn('2026-11-10', 2)]
    const { ended } = evaluate(VISIT, { ...given, entries })
    expect(evaluate(VISIT, { ...given, ended, entries: entries.slice(1) })).toMatchObject({
      ended: [{ due: '2026-10-29', metOn: '2026-11-10', by: 2 }],
      current: { due: '2026-12-08' },
    })
  })

  it('is no longer met by an action that moved to a day on which another one was done', () => {
    const given = { record: { start_date: '2026-10-01' }, caseRecord: { visit_every_weeks: 4 } }
    const { ended } = evaluate(VISIT, { ...given, entries: [visitOn('2026-10-20', 1)] })
    const entries = [{ ...visitOn('2026-10-20', 3), action_type: 1 }, visitOn('2026-10-25', 1)]
    const now = evaluate(VISIT, { ...given, ended, entries, version: 2 })
    expect(now.ended).toMatchObject([{ metOn: '2026-10-25' }])
  })

  it('is on time on its day, and neither missed if it ends then nor paused before it begins', () => {
    const period = { due: '2026-10-20', warnFrom: '2026-10-20', countedFrom: '2026-10-01' }
    const stateOf = (more: object, day: string) => deadlineState({ ...period, ...more } as never, day)
    expect(stateOf({}, '2026-10-19')).toBe('due')
    expect(stateOf({}, '2026-10-20')).toBe('soon')
    expect(stateOf({}, '2026-10-21')).toBe('late')
    expect(stateOf({ endsOn: '2026-10-22', pausedSince: '2026-10-20' }, '2026-10-23')).toBe('none')
    expect(stateOf({ endsOn: '2026-10-22', pausedSince: '2026-10-21' }, '2026-10-23')).toBe('missed')
    expect(stateOf({ pausedSince: '2026-10-25' }, '2026-10-19')).toBe('due')
  })

  it('is due so long after a day as a whole number from 0 to 3660 says', () => {
    const dueAfter = (weeks: unknown) =>
      evaluate(
        { ...FIRST_CONTACT, within: { days: '$case.visit_every_weeks' } },
        { record: { start_date: '2026-10-01' }, caseRecord: { visit_every_weeks: weeks } },
      ).current?.due
    expect(dueAfter(0)).toBe('2026-10-01')
    expect(dueAfter(3660)).toBe('2036-10-08')
    for (const weeks of [-1, 3661, 1.5, undefined]) expect(dueAfter(weeks)).toBeUndefined()
  })

  it('keeps what was met under an earlier version, an edited calendar or another interval', () => {
    const given = { record: { start_date: '2026-10-01' }, entries: [visitOn('2026-10-20', 1)] }
    const { ended } = evaluate(VISIT, { ...given, caseRecord: { visit_every_weeks: 4 } })
    const changed = evaluate(
      { ...VISIT, met_by: { actions: [7] } },
      {
        ...given,
        ended,
        version: 2,
        caseRecord: { visit_every_weeks: 2 },
      },
    )
    expect(changed.ended).toEqual(ended)
    expect(changed.current).toMatchObject({ from: '2026-10-20', due: '2026-11-03' })
    const without = evaluate(VISIT, {
      ...given,
      entries: [],
      ended,
      version: 2,
      caseRecord: { visit_every_weeks: 2 },
    })
    expect(without).toMatchObject({ ended: [], current: { due: '2026-10-15' } })
  })

  it('that was excused stays so, and the next one is counted from when it was due', () => {
    const given = { record: { start_date: '2026-10-01' }, caseRecord: { visit_every_weeks: 4 } }
    const { current } = evaluate(VISIT, given)
    const ended = [{ ...current!, excusedOn: '2026-10-22', version: 1 }]
    expect(evaluate(VISIT, { ...given, ended }).current).toMatchObject({
      from: '2026-10-29',
      due: '2026-11-26',
    })
    expect(evaluate(VISIT, { ...given, ended, entries: [visitOn('2026-10-25')] })).toMatchObject({
      ended: [{ excusedOn: '2026-10-22' }, { metOn: '2026-10-25' }],
      current: { due: '2026-11-22' },
    })
    const late = [{ ...current!, excusedOn: '2026-12-01', version: 1 }]
    expect(evaluate(VISIT, { ...given, ended: late }).current).toMatchObject({ due: '2026-12-29' })
  })

  it('that is switched off keeps what was met and is not due', () => {
    const given = {
      record: { start_date: '2026-10-01' },
      caseRecord: { visit_every_weeks: 4 },
      entries: [visitOn('2026-10-20')],
    }
    const { ended } = evaluate(VISIT, given)
    expect(evaluate({ ...VISIT, is_on: false }, { ...given, ended })).toEqual({ ended, current: undefined })
  })
})

const METAS = {
  case_meta: [
    group('dols', [
      field('authorised_to', 'date'),
      field('visit_every_weeks', 'integer'),
      field('consent_date', 'date'),
    ]),
  ],
  issue_meta: [group('report', [field('report_sent', 'date'), yesno('waiting_for_papers')])],
}
const { entities } = loadContract('.').contract
const NAMES = { entities, actionTypes: new Set([1, 6, 7]) }

describe('the check of deadlines', () => {
  const check = (...deadlines: Deadline[]) =>
    checkDeadlines(deadlines, METAS, NAMES).map(({ path, message }) => `${path.join('.')}: ${message}`)

  it('accepts the four kinds', () => {
    expect(check(FIRST_CONTACT, VISIT, AUTHORISATION, REPORT)).toEqual([])
  })

  it('refuses a name twice, and action types that are not there', () => {
    expect(check(FIRST_CONTACT, { ...FIRST_CONTACT, met_by: { actions: [1, 99] } })).toEqual([
      "1.name: Another deadline has the name 'first_contact'",
      '1.met_by.actions.1: There is no type of action with the id 99; choose another',
    ])
  })

  it('refuses paths that lead nowhere or to the wrong kind of value', () => {
    expect(
      check({
        ...VISIT,
        from: 'record.start_dat',
        until: '$case.visit_every_weeks',
        every: { weeks: 'report_sent' },
      }),
    ).toEqual([
      "0.from: 'Visit' is counted from 'record.start_dat', but there is no such field; did you mean 'start_date'?",
      "0.until: 'Visit' is due until 'Visit_every_weeks', which is not a date; choose another field",
      "0.every.weeks: 'Visit' takes its number from 'Report_sent', which is not a number; choose another field",
    ])
    expect(check({ ...REPORT, from: 'user.id', paused: { when: { waiting: 'yes' } } })).toEqual([
      "0.from: 'Report' is counted from 'user.id', which it cannot reach; choose a field of the form, of the record or of its case",
      "0.paused.when.waiting: This condition looks at 'waiting', but there is no such field; choose another or remove it",
    ])
  })

  it('refuses what does not say when it is due', () => {
    const { within: _, ...none } = FIRST_CONTACT
    const { from: _from, ...nowhere } = FIRST_CONTACT
    expect(
      check(
        none,
        { ...nowhere, name: 'b' },
        { ...VISIT, every: { days: 0 }, met_by: { field: 'report_sent' } },
      ),
    ).toEqual([
      "0: Say when 'First contact' is due in one way: so long after a day, every so long, or on a day",
      "1.from: Choose the day from which 'First contact' is counted",
      "2.met_by: 'Visit' is due again and again, so only actions can meet it; choose their types",
      "2.every: 'Visit' would be due every day without end; choose a number from 1",
    ])
    const both = { actions: [6], field: 'report_sent' }
    expect(check({ ...VISIT, met_by: both })).toEqual([
      "0.met_by: 'Visit' is due again and again, so only actions can meet it; choose their types",
    ])
    expect(check({ ...AUTHORISATION, paused: { when: { consent_date: { set: true } } } })).toEqual([
      "0.paused: 'Authorisation ends' is due on a day that somebody enters, which no pause moves; remove one of them",
    ])
  })
})

describe('a deadline in words', () => {
  const words = (deadline: Deadline) =>
    describeDeadline(
      deadline,
      { metas: METAS, entities },
      (_, id) => ({ 1: 'Call', 6: 'Visit', 7: 'Video call' })[id],
    )

  it('says when it is due and what meets it', () => {
    expect(words(FIRST_CONTACT)).toBe(
      'Due 2 working days after the start date, once on every issue. Met by Call, Visit or Video call.',
    )
    expect(words(VISIT)).toBe(
      "Due on every issue as many weeks as 'Visit_every_weeks' says after the one before, at first after the start date, until 'Authorised_to'. Met by Visit.",
    )
    expect(words({ ...AUTHORISATION, is_on: false })).toBe(
      "Due on 'Authorised_to' of every case. Nothing meets it. Due soon from 28 days before. Switched off.",
    )
    expect(words(REPORT)).toBe(
      "Due 28 days after 'Consent_date', once on every issue. Met by 'Report_sent'. Paused while 'Waiting_for_papers' is Yes.",
    )
  })
})
