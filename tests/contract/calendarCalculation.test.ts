import { describe, expect, it } from 'vitest'
import { contextOfService } from '../../src/contract/caseType/formTestContext.ts'
import { outcomeOf } from '../../src/contract/caseType/formTests.ts'
import { addDays } from '../../src/contract/days.ts'
import { holidaysAround, holidaysOfCase } from '../../src/contract/deadlines/holidaysAround.ts'
import type { Field, Group } from '../../src/contract/generated.ts'
import { checkMeta } from '../../src/contract/meta/checkMeta.ts'
import { describeCalculation } from '../../src/contract/meta/describeCalculation.ts'
import { fieldsByName } from '../../src/contract/meta/places.ts'
import { evaluate } from '../../src/contract/visible.ts'
import type { Values } from '../../src/contract/when.ts'
import { addWorkingDays, type Holidays, isWorkingDay } from '../../src/contract/workingDays.ts'
import { validateSchema } from '../../src/engine/form/store/validateSchema.ts'
import { shippedCalendars } from '../../src/server/ops/demo/shippedCalendars.ts'

const due: Field = {
  name: 'due',
  label: 'Due',
  type: 'date',
  attrs: { calc: 'add_working_days', of: ['received', 'days'], calendar: true },
}
const formWith = (field: Field): Group[] => [
  {
    name: 'g',
    label: 'G',
    fields: [
      { name: 'received', label: 'Received', type: 'date' },
      { name: 'days', label: 'Days', type: 'integer' },
      field,
    ],
  },
]
const FORM = formWith(due)
const [SCOTS, ULSTER] = [12, 13]
const calendars = { ...shippedCalendars(), areas: { [SCOTS]: 2, [ULSTER]: 3 } }
const AREAS = [
  [1, 1],
  [SCOTS, 2],
  [ULSTER, 3],
] as const

/** One working day after the other, which is what a calculation must agree with. */
function stepByStep(from: string, days: number, holidays: Holidays): string {
  let day = from
  for (let left = Math.abs(days); left > 0; ) {
    day = addDays(day, Math.sign(days))
    if (isWorkingDay(day, holidays)) left--
  }
  return day
}

const inBrowser = (document: Values, stored: Values, answers: Values) => {
  const around = { with: { caseType: { calendars }, case: stored } }
  return evaluate(FORM, { ...around, answers, holidays: holidaysAround(document, around) }).answers.due
}
const onServer = (caseRecord: Values, answers: Values) =>
  evaluate(FORM, { answers, holidays: holidaysOfCase(calendars, caseRecord) }).answers.due
const inTest = (given: Values, council_area: number) =>
  outcomeOf(
    FORM,
    { meta: 'case_meta', given, with: { record: { council_area } }, as: { today: '2026-06-04' } },
    { validateSchema, conditionContext: contextOfService(1), calendars },
  ).calculated.due

describe('working days of a calculation with a calendar', () => {
  it('are the same in browser, server and form tests around every holiday of each calendar', () => {
    for (const [area, calendar] of AREAS) {
      const holidays = new Set(calendars.days[calendar])
      expect(holidays.size).toBeGreaterThan(50)
      for (const holiday of holidays) {
        const received = addDays(holiday, (holiday.charCodeAt(9) % 4) - 2)
        const answers = { received, days: 1 + (holiday.charCodeAt(6) % 3) }
        const expected = stepByStep(received, answers.days, holidays)
        const found = [
          inBrowser({ council_area: area, answers }, {}, answers),
          inBrowser({ case: { council_area: area } }, {}, answers),
          inBrowser({ answers }, { council_area: area }, answers),
          onServer({ council_area: area }, answers),
          inTest(answers, area),
        ]
        expect([received, ...found]).toEqual([received, ...Array(5).fill(expected)])
      }
    }
  })

  it('agree with counting day by day over years, in both directions, from weekends and holidays too', () => {
    const holidays = new Set(calendars.days[1])
    for (let start = 0; start < 900; start += 37) {
      const day = addDays('2025-12-18', start % 40)
      for (const days of [-start, -6, -5, -1, 0, 1, 5, 6, 10, 11, start])
        expect([day, days, addWorkingDays(day, days, holidays)]).toEqual([
          day,
          days,
          stepByStep(day, days, holidays),
        ])
    }
  })

  it('cross the end of a year, and begin on a holiday itself', () => {
    const from = (received: string, days: number, council_area?: number) =>
      onServer({ council_area }, { received, days })
    expect(from('2026-12-31', 1)).toBe('2027-01-04')
    expect(from('2026-12-31', 1, SCOTS)).toBe('2027-01-05')
    expect(from('2026-12-25', 1)).toBe('2026-12-29')
    expect(from('2026-12-25', 0)).toBe('2026-12-25')
    expect(from('2027-01-04', -1, SCOTS)).toBe('2026-12-31')
    expect(from('2026-07-10', 1, ULSTER)).toBe('2026-07-14')
    // The council area that is being chosen counts, not the stored one.
    const answers = { received: '2026-12-31', days: 1 }
    expect(inBrowser({ council_area: SCOTS }, { council_area: 1 }, answers)).toBe('2027-01-05')
    expect(inBrowser({ council_area: null }, { council_area: SCOTS }, answers)).toBe('2027-01-04')
  })

  it('have no value far outside of the calendar of people', () => {
    expect(onServer({}, { received: '9999-01-01', days: 100_000 })).toBeUndefined()
    expect(onServer({}, { received: '0001-01-01', days: -100_000 })).toBeUndefined()
    expect(onServer({}, { received: '2026-02-30', days: 1 })).toBeUndefined()
    expect(onServer({}, { received: '2026-01-01', days: 100_000 })).toBeDefined()
    expect(onServer({}, { received: '2026-01-01', days: 100_001 })).toBeUndefined()
  })

  it('count bank holidays as working days without the tick, as before', () => {
    const plain = formWith({ ...due, attrs: { ...due.attrs, calendar: undefined } })
    const context = { answers: { received: '2026-12-24', days: 1 }, holidays: new Set(calendars.days[1]) }
    expect(evaluate(plain, context).answers.due).toBe('2026-12-25')
    expect(describeCalculation(due, fieldsByName(FORM))).toBe(
      "'Days' working days after 'Received', without bank holidays",
    )
  })

  it('are refused of another calculation', () => {
    const wrong = { ...due, attrs: { ...due.attrs, calc: 'add_days' as const } }
    const found = checkMeta({ case_meta: formWith(wrong), issue_meta: [] }, { lookups: {} })
    expect(found.map(({ message }) => message)).toEqual([
      "'Due' has a calendar, which only the calculation 'Date and working days' looks at; remove it",
    ])
  })
})
