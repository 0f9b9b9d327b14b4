import { dayOf } from './timeZone.ts'

/** In every time zone midnight is at a quarter of an hour in UTC, so the day is cached for that long. */
const QUARTER_OF_AN_HOUR = 15 * 60_000

let known = { quarter: Number.NaN, day: '' }

/** Today's date in the service's time zone, YYYY-MM-DD. */
export function today(): string {
  const now = new Date()
  const quarter = Math.floor(now.getTime() / QUARTER_OF_AN_HOUR)
  if (quarter !== known.quarter) known = { quarter, day: dayOf(now) }
  return known.day
}
