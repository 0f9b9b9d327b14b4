import { addDays, weekdayOf } from '../days.ts'

/** Bank holidays, which are no working days. */
export type Holidays = ReadonlySet<string>

/** The working day that is so many after a day, or before it for a negative number; the day itself for 0. */
export function addWorkingDays(day: string, days: number, holidays: Holidays): string {
  const step = days < 0 ? -1 : 1
  let result = day
  for (let left = Math.abs(days); left > 0; ) {
    result = addDays(result, step)
    if (isWorkingDay(result, holidays)) left--
  }
  return result
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
