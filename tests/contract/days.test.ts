import { afterEach, describe, expect, it } from 'vitest'
import {
  addDays,
  dayInWords,
  daysBetween,
  formatDay,
  isRealDay,
  monthInWords,
  weekdayOf,
} from '../../src/contract/days.ts'

const zone = process.env.TZ
afterEach(() => {
  if (zone === undefined) delete process.env.TZ
  else process.env.TZ = zone
})

// Clocks go forward on 29 March 2026 in London, on 8 March in New York, and back on 5 April in Auckland.
describe.each(['UTC', 'Europe/London', 'America/New_York', 'Pacific/Auckland'])('in %s', (timeZone) => {
  it('days are counted the same across a change of clocks', () => {
    process.env.TZ = timeZone
    expect(addDays('2026-07-01', -180)).toBe('2026-01-02')
    expect(addDays('2026-01-02', 180)).toBe('2026-07-01')
    expect(addDays('2026-12-31', 1)).toBe('2027-01-01')
    expect(daysBetween('2026-01-02', '2026-07-01')).toBe(180)
    expect(daysBetween('2026-07-01', '2026-01-02')).toBe(-180)
    expect(daysBetween('2026-03-28', '2026-03-30')).toBe(2)
    expect([weekdayOf('2026-03-29'), weekdayOf('2026-03-30')]).toEqual([7, 1])
    expect([dayInWords('2026-03-29'), monthInWords('2026-03')]).toEqual(['29 March 2026', 'March 2026'])
  })
})

it.each([
  ['2024-02-29', true],
  ['2026-02-29', false],
  ['2026-02-30', false],
  ['2026-13-01', false],
  ['2026-1-1', false],
  ['2026-01-01T00', false],
  ['+012026-01', false],
  ['', false],
])('%s is a day: %s', (text, is) => {
  expect(isRealDay(text)).toBe(is)
  expect(dayInWords(text) !== undefined).toBe(is)
})

it('a day after the end of its month is formatted as one of the next', () => {
  expect(formatDay('2025-02-29')).toBe('1 March 2025')
})

it('the number of days to a text that is not a day is not a number', () => {
  expect(daysBetween('2026-01-01', 'soon')).toBeNaN()
})
