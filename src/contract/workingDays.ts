import { addDays, weekdayOf } from './days.ts'

/** Bank holidays as YYYY-MM-DD; they are no working days. */
export type Holidays = ReadonlySet<string>

/** The working day that is so many after a day, or before it for a negative number; the day itself for 0. */
export function addWorkingDays(day: string, days: number, holidays: Holidays): string {
  const step = days < 0 ? -1 : 1
  let result = day
  let left = Math.abs(days)
  // Skip whole weeks at once, so that a span of years is as fast as one of days; the loop below always finds the last
  // day.
  for (let weeks = weeksIn(left); weeks > 1; weeks = weeksIn(left)) {
    const next = addDays(result, step * 7 * weeks)
    left -= 5 * weeks - holidaysBetween(result, next, holidays)
    result = next
  }
  while (left > 0) {
    result = addDays(result, step)
    if (isWorkingDay(result, holidays)) left--
  }
  return result
}

function weeksIn(workingDays: number): number {
  return Math.floor((workingDays - 1) / 5)
}

/** The number of bank holidays on working days after one day up to a later one, or before it down to an earlier one. */
function holidaysBetween(from: string, to: string, holidays: Holidays): number {
  const isIn = (day: string) => (from < to ? day > from && day <= to : day < from && day >= to)
  let count = 0
  for (const day of holidays) if (isIn(day) && weekdayOf(day) < 6) count++
  return count
}

/** The number of working days after one day, up to and including another. */
export function workingDaysBetween(from: string, to: string, holidays: Holidays): number {
  let count = 0
  for (let day = addDays(from, 1); day <= to; day = addDays(day, 1)) if (isWorkingDay(day, holidays)) count++
  return count
}

/** True from Monday to Friday except on bank holidays. */
export function isWorkingDay(day: string, holidays: Holidays): boolean {
  return weekdayOf(day) < 6 && !holidays.has(day)
}
