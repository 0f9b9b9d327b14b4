const DAY_MS = 86_400_000
const MINUTE_MS = 60_000

/**
 * The last moment at or before `now` at which a daily backup is due, by a time of day ("02:30") in a time zone. Each
 * day has exactly one: the first of two if the clocks go back over the time, the moment after the gap if they go
 * forward over it.
 */
export function lastSlot(time: string, timeZone: string, now: Date): Date {
  const midnight = Math.floor(wallClock(now.getTime(), timeZone) / DAY_MS) * DAY_MS
  const [hours, minutes] = time.split(':').map(Number)
  const today = momentOf(midnight + (hours * 60 + minutes) * MINUTE_MS, timeZone)
  if (today <= now.getTime()) return new Date(today)
  return new Date(momentOf(midnight - DAY_MS + (hours * 60 + minutes) * MINUTE_MS, timeZone))
}

/** The first moment at which the clocks of a zone show a time, or would, had they not been changed that day. */
function momentOf(wall: number, timeZone: string): number {
  const offsets = [wall - DAY_MS, wall + DAY_MS].map((at) => wallClock(at, timeZone) - at)
  const moments = offsets.map((offset) => wall - offset)
  return moments.find((at) => wallClock(at, timeZone) === wall) ?? moments[0]
}

// Cached: creating a format takes a hundred times as long as using it.
const formats = new Map<string, Intl.DateTimeFormat>()

/** What the clocks of a zone show at a moment, as milliseconds of the same date and time in UTC. */
function wallClock(at: number, timeZone: string): number {
  let format = formats.get(timeZone)
  if (!format) {
    // Sweden writes dates and times as ISO does.
    format = new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'medium' })
    formats.set(timeZone, format)
  }
  return Date.parse(`${format.format(at).replace(' ', 'T')}Z`)
}
