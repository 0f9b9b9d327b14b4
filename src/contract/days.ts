// Days are texts, YYYY-MM-DD, and counted in UTC, where each has 24 hours, whatever the time zone of the process is.

const DAY_MS = 86_400_000
const DAY = /^\d{4}-\d\d-\d\d$/
const WORDS = new Intl.DateTimeFormat('en-GB', {
  day: 'numeric',
  month: 'long',
  year: 'numeric',
  timeZone: 'UTC',
})
const MONTH_WORDS = new Intl.DateTimeFormat('en-GB', { month: 'long', year: 'numeric', timeZone: 'UTC' })

/** Midnight of a day in UTC, to format it; an invalid date for any other text. */
export function midnightOf(day: string): Date {
  return new Date(`${day}T00:00:00Z`)
}

/** True for a day of the calendar, YYYY-MM-DD: false for '2026-02-30'. */
export function isRealDay(text: string): boolean {
  const date = midnightOf(text)
  return DAY.test(text) && !Number.isNaN(date.getTime()) && date.toISOString().startsWith(text)
}

/** The day so many days later, or earlier. */
export function addDays(day: string, days: number): string {
  return new Date(midnightOf(day).getTime() + days * DAY_MS).toISOString().slice(0, 10)
}

/** The day so many months later; a month after 31 January is the last day of February. */
export function addMonths(day: string, months: number): string {
  const [year, month, date] = day.split('-').map(Number)
  const last = new Date(Date.UTC(year, month + months, 0))
  last.setUTCDate(Math.min(date, last.getUTCDate()))
  return last.toISOString().slice(0, 10)
}

/** Number of days from one day to a later one, negative to an earlier one; NaN if one of them is not a day. */
export function daysBetween(day: string, later: string): number {
  return (midnightOf(later).getTime() - midnightOf(day).getTime()) / DAY_MS
}

/** The day of the week: 1 for Monday, 7 for Sunday. */
export function weekdayOf(day: string): number {
  return midnightOf(day).getUTCDay() || 7
}

/** '31 January 2026'; a day after the end of its month is one of the next month. */
export function formatDay(day: string): string {
  return WORDS.format(midnightOf(day))
}

/** '31 January 2026'; undefined for a text that is not a day of the calendar. */
export function dayInWords(day: string): string | undefined {
  return isRealDay(day) ? formatDay(day) : undefined
}

/** 'June 2026' for '2026-06'; undefined for a text that is no month. */
export function monthInWords(month: string): string | undefined {
  return isRealDay(`${month}-01`) ? MONTH_WORDS.format(midnightOf(`${month}-01`)) : undefined
}
