import { dayOf, wallTimeOf, zonedFormat } from '../runtime/timeZone.ts'

const DAY = new Intl.DateTimeFormat('en-GB', {
  day: 'numeric',
  month: 'long',
  year: 'numeric',
  timeZone: 'UTC',
})
const MONTH = new Intl.DateTimeFormat('en-GB', { month: 'long', year: 'numeric', timeZone: 'UTC' })
const moment = zonedFormat('en-GB', {
  day: 'numeric',
  month: 'long',
  year: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
})

const RELATIVE = new Intl.RelativeTimeFormat('en-GB', { numeric: 'auto' })

/** '4 June 2026' for 2026-06-04, 'June 2026' for 2026-06; what is no date stays as it is. */
export function formatDate(value: string): string {
  const isMonth = /^\d{4}-\d\d$/.test(value)
  const date = new Date(`${isMonth ? `${value}-01` : value.slice(0, 10)}T00:00:00Z`)
  if (Number.isNaN(date.getTime())) return value
  return (isMonth ? MONTH : DAY).format(date)
}

/** '4 June 2026, 10:42' where the service works for an ISO moment; what is none stays as it is. */
export function formatDateTime(value: string): string {
  const date = new Date(value)
  return Number.isNaN(date.getTime()) ? value : moment(date).replace(' at ', ', ')
}

/** '10:42' for an ISO moment of today where the service works, otherwise with its day. */
export function formatTime(value: string, now = new Date()): string {
  const date = new Date(value)
  return dayOf(date) === dayOf(now) ? wallTimeOf(date).slice(-5) : formatDateTime(value)
}

const A_DAY = 86_400_000

/** How many days a day is before another, both YYYY-MM-DD; NaN for what is no date. */
export function daysBetween(day: string, later: string): number {
  return Math.round((Date.parse(`${later}T00:00:00Z`) - Date.parse(`${day}T00:00:00Z`)) / A_DAY)
}

/** 'today', 'yesterday', '12 days ago', 'in 3 days', as the calendar counts where the service works; what is no date stays as it is. */
export function formatRelativeDate(day: string, now = new Date()): string {
  const days = daysBetween(day, dayOf(now))
  if (Number.isNaN(days)) return day
  return RELATIVE.format(-days, 'day')
}
