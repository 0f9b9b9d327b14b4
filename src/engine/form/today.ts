const DAY = new Intl.DateTimeFormat('en-CA', {
  timeZone: 'Europe/London',
  year: 'numeric',
  month: '2-digit',
  day: '2-digit',
})

/** The day it is where the service works, YYYY-MM-DD. */
export function today(): string {
  return DAY.format(new Date())
}
