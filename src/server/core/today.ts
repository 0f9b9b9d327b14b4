/** Days as YYYY-MM-DD, both included. */
export interface Period {
  start: string
  end: string
}

// Cached: creating a format takes a hundred times as long as using it, and memory that is freed late.
const formats = new Map<string, Intl.DateTimeFormat>()

/** The date of the current minute, cached by time zone: a date changes only at the start of a minute. */
const days = new Map<string, { minute: number; day: string }>()

/** The current date in a time zone, YYYY-MM-DD. */
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
