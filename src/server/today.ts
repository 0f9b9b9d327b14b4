// Making one takes a hundred times as long as using it, and memory that is given back late.
const formats = new Map<string, Intl.DateTimeFormat>()

/** The day it is where the service works, YYYY-MM-DD. */
export function today(timeZone: string, now = new Date()): string {
  return formatFor(timeZone).format(now)
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
