import { dayInWords, daysBetween, monthInWords } from '../../contract/days.ts'
import { dayOf, wallTimeOf, zonedFormat } from './timeZone.ts'

const moment = zonedFormat('en-GB', {
  day: 'numeric',
  month: 'long',
  year: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
})

const RELATIVE = new Intl.RelativeTimeFormat('en-GB', { numeric: 'auto' })

/** '4 June 2026' for 2026-06-04, 'June 2026' for 2026-06; other texts are unchanged. */
export function formatDate(value: string): string {
  return monthInWords(value) ?? dayInWords(value.slice(0, 10)) ?? value
}

/** '4 June 2026, 10:42' in the service's time zone for an ISO timestamp; other texts are unchanged. */
export function formatDateTime(value: string): string {
  const date = new Date(value)
  return Number.isNaN(date.getTime()) ? value : moment(date).replace(' at ', ', ')
}

/** '10:42' in the service's time zone for an ISO timestamp of today, otherwise with its date. */
export function formatTime(value: string, now = new Date()): string {
  const date = new Date(value)
  return dayOf(date) === dayOf(now) ? wallTimeOf(date).slice(-5) : formatDateTime(value)
}

/** 'today', '12 days ago' or 'in 3 days', by calendar days in the service's time zone; other texts are unchanged. */
export function formatRelativeDate(day: string, now = new Date()): string {
  const days = daysBetween(day, dayOf(now))
  if (Number.isNaN(days)) return day
  return RELATIVE.format(-days, 'day')
}
