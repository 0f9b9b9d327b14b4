import { addDays, daysBetween, weekdayOf } from './days.ts'

const DAY = /^\d{4}-\d\d-\d\d$/
const BEFORE = /^-(\d{1,3})d$/
const AFTER = /^\+(\d{1,3})d$/
const WEEKDAYS = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday']

/**
 * Resolves a text to a day, YYYY-MM-DD: a day itself, 'today', '-7d' and '+7d' for seven days before and after it,
 * 'friday' for the next one after today, 'month' for the first of this month; undefined for other texts.
 */
export function relativeDay(text: string, today: string): string | undefined {
  if (text === 'today') return today
  if (text === 'month') return `${today.slice(0, 8)}01`
  const [before, after] = [BEFORE.exec(text), AFTER.exec(text)]
  if (before) return addDays(today, -Number(before[1]))
  if (after) return addDays(today, Number(after[1]))
  const weekday = WEEKDAYS.indexOf(text) + 1
  if (weekday > 0) return addDays(today, ((weekday - weekdayOf(today) + 6) % 7) + 1)
  return DAY.test(text) ? text : undefined
}

/** The day, YYYY-MM-DD, of a text like '+7d'; undefined for any other text. */
export function dayAfter(text: string, today: string): string | undefined {
  return AFTER.test(text) ? relativeDay(text, today) : undefined
}

/** Button label of a relative text: 'Today', 'Yesterday', '+7 days', 'Friday'. */
export function relativeLabel(text: string): string {
  if (text === '-1d') return 'Yesterday'
  if (text === '+1d') return 'Tomorrow'
  const after = AFTER.exec(text)?.[1]
  return after ? `+${after} days` : text[0].toUpperCase() + text.slice(1)
}

/** A relative text in words: '7 days before today' for '-7d'; others as they are. */
export function relativeWords(text: string): string {
  const days = BEFORE.exec(text)?.[1]
  return days ? `${days} ${days === '1' ? 'day' : 'days'} before today` : text
}

/** The relative text of a day ('-7d'); undefined if the day is after today, or 1,000 days or more before it. */
export function asRelativeDay(day: string, today: string): string | undefined {
  const days = daysBetween(day, today)
  if (days === 0) return 'today'
  return days > 0 && days < 1000 ? `-${days}d` : undefined
}
