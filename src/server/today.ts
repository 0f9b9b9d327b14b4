// Making one takes a hundred times as long as using it, and memory that is given back late.
const formats = new Map<string, Intl.DateTimeFormat>()

/** The day of the current minute, by time zone: days begin with a minute. */
const days = new Map<string, { minute: number; day: string }>()

/** The day it is where the service works, YYYY-MM-DD. */
export function today(timeZone: string, now = new Date()): string {
  const minute = Math.floor(now.getTime() / 60_000)
  const known = days.get(timeZone)
  if (known?.minute === minute) return known.day
  const day = formatFor(timeZone).format(now)
  days.set(timeZone, { minute, day })
  return day
}

function formatFor(timeZone: string): Intl.DateTimeFormat {
  const cached = formats.get(timeZone)
  if (cached) return cached
  const made = new Intl.DateTimeFormat('en-CA', {
    timeZone,
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
  })
  formats.set(timeZone, made)
  return made
}
