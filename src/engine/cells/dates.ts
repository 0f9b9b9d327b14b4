const DAY = new Intl.DateTimeFormat('en-GB', {
  day: 'numeric',
  month: 'long',
  year: 'numeric',
  timeZone: 'UTC',
})
const MOMENT = new Intl.DateTimeFormat('en-GB', {
  day: 'numeric',
  month: 'long',
  year: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
})

/** '4 June 2026' for 2026-06-04; what is no date stays as it is. */
export function dayText(value: string): string {
  const date = new Date(`${value.slice(0, 10)}T00:00:00Z`)
  return Number.isNaN(date.getTime()) ? value : DAY.format(date)
}

/** '4 June 2026, 10:42' on this device's clock for an ISO moment; what is none stays as it is. */
export function momentText(value: string): string {
  const date = new Date(value)
  return Number.isNaN(date.getTime()) ? value : MOMENT.format(date).replace(' at ', ', ')
}
