import { addBusinessDays, addMonths as addMonthsOfDateFns, format, parseISO } from 'date-fns'
import { describe, expect, it } from 'vitest'
import { addDays, addMonths, daysBetween } from '../../src/contract/days.ts'
import { dayAt } from '../../src/contract/deadlines/spans.ts'
import { addWorkingDays, isWorkingDay, workingDaysBetween } from '../../src/contract/workingDays.ts'

const NONE = new Set<string>()
const CHRISTMAS = new Set(['2026-12-25', '2026-12-28', '2027-01-01'])

describe('arithmetic on days', () => {
  it('counts days over the nights in which summer time begins and ends, and over leap days', () => {
    expect(addDays('2026-03-28', 2)).toBe('2026-03-30')
    expect(addDays('2026-10-24', 2)).toBe('2026-10-26')
    expect(addDays('2028-02-28', 1)).toBe('2028-02-29')
    expect(addDays('2027-02-28', 1)).toBe('2027-03-01')
    expect(addDays('2027-01-01', -1)).toBe('2026-12-31')
    expect(daysBetween('2026-03-01', '2026-11-01')).toBe(245)
  })

  it('ends a month after its last day on the last day of the next', () => {
    expect(addMonths('2027-01-31', 1)).toBe('2027-02-28')
    expect(addMonths('2028-01-31', 1)).toBe('2028-02-29')
    expect(addMonths('2026-11-30', 3)).toBe('2027-02-28')
    expect(addMonths('2026-03-31', -1)).toBe('2026-02-28')
  })

  it('skips weekends and bank holidays', () => {
    expect(addWorkingDays('2026-12-23', 2, CHRISTMAS)).toBe('2026-12-29')
    expect(addWorkingDays('2026-12-29', -1, CHRISTMAS)).toBe('2026-12-24')
    expect(addWorkingDays('2026-12-26', 0, CHRISTMAS)).toBe('2026-12-26')
    expect(workingDaysBetween('2026-12-23', '2026-12-29', CHRISTMAS)).toBe(2)
    expect(isWorkingDay('2026-12-28', CHRISTMAS)).toBe(false)
    expect(isWorkingDay('2026-12-28', NONE)).toBe(true)
  })

  it('counts a bank holiday at a weekend as the weekend that it is', () => {
    const weekend = new Set(['2026-12-26', '2026-12-27'])
    for (const days of [20, -20, 60])
      expect(addWorkingDays('2026-12-23', days, weekend)).toBe(addWorkingDays('2026-12-23', days, NONE))
  })

  it('refuses what is not a day', () => {
    const read = (day: unknown) => dayAt('day', { answers: { day } })
    expect(['2026-02-29', '2026-2-3', '2026-02-03T00:00', 20260203, null, ''].map(read)).toEqual(
      Array(6).fill(undefined),
    )
    expect(read('2028-02-29')).toBe('2028-02-29')
  })

  it('agrees with date-fns, which knows no bank holidays', () => {
    for (let start = 0; start < 800; start += 3) {
      const day = addDays('2026-01-01', start)
      for (const n of [-11, -5, -1, 0, 1, 2, 5, 7, 10, 28]) {
        expect(addWorkingDays(day, n, NONE)).toBe(format(addBusinessDays(parseISO(day), n), 'yyyy-MM-dd'))
        expect(addMonths(day, n)).toBe(format(addMonthsOfDateFns(parseISO(day), n), 'yyyy-MM-dd'))
      }
    }
  })
})
