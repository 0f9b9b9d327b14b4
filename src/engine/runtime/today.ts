import { dayOf } from './timeZone.ts'

/** A day ends at a quarter of an hour in every time zone. */
const QUARTER_OF_AN_HOUR = 15 * 60_000

let known = { quarter: Number.NaN, day: '' }

/** The day it is where the service works, YYYY-MM-DD. */
export function today(): string {
  const now = new Date()
  const quarter = Math.floor(now.getTime() / QUARTER_OF_AN_HOUR)
  if (quarter !== known.quarter) known = { quarter, day: dayOf(now) }
  return known.day
}
