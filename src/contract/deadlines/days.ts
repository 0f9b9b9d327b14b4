/** Arithmetic on days as texts (YYYY-MM-DD), in UTC, so that summer time never moves one. */

const DAY_MS = 86_400_000
const DAY = /^\d{4}-\d{2}-\d{2}$/

/** Bank holidays, which are no working days. */
export type Holidays = ReadonlySet<string>

/** A value if it is a day that exists; undefined for others, such as '2026-02-30'. */
export function asDay(value: unknown): string | undefined {
  if (typeof value !== 'string' || !DAY.test(value)) return undefined
  const time = Date.parse(`${value}T00:00:00Z`)
  return Number.isNaN(time) || textOf(time) !== value ? undefined : value
}

/** The day so many days later, or earlier for a negative number. */
export function addDays(day: string, days: number): string {
  return textOf(timeOf(day) + days * DAY_MS)
}

/** The day so many months later; a month after 31 January is the last day of February. */
export function addMonths(day: string, months: number): string {
  const [year, month, date] = day.split('-').map(Number)
  const last = new Date(Date.UTC(year, month + months, 0))
  return textOf(last.setUTCDate(Math.min(date, last.getUTCDate())))
}

/** The so-manieth working day after a day, or before it for a negative number; the day itself for 0. */
export function addWorkingDays(day: string, days: number, holidays: Holidays): string {
  const step = days < 0 ? -1 : 1
  let result = day
  for (let left = Math.abs(days); left > 0; ) {
    result = addDays(result, step)
    if (isWorkingDay(result, holidays)) left--
  }
  return result
}

/** The number of days from one day to another. */
export function daysBetween(from: string, to: string): number {
  return (timeOf(to) - timeOf(from)) / DAY_MS
}

/** The number of working days after one day, up to and including another. */
export function workingDaysBetween(from: string, to: string, holidays: Holidays): number {
  let count = 0
  for (let day = addDays(from, 1); day <= to; day = addDays(day, 1)) if (isWorkingDay(day, holidays)) count++
  return count
}

/** True from Monday to Friday except on bank holidays. */
export function isWorkingDay(day: string, holidays: Holidays): boolean {
  const weekday = new Date(timeOf(day)).getUTCDay()
  return weekday !== 0 && weekday !== 6 && !holidays.has(day)
}

function timeOf(day: string): number {
  return Date.parse(`${day}T00:00:00Z`)
}

function textOf(time: number): string {
  return new Date(time).toISOString().slice(0, 10)
}
