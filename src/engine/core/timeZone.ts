const DEFAULT = 'Europe/London'

/** The service's time zone: the server's setting TIME_ZONE, from a meta element of the page. */
function timeZone(): string {
  return document.querySelector<HTMLMetaElement>('meta[name="time-zone"]')?.content || DEFAULT
}

type Options = Intl.DateTimeFormatOptions
/** A date formatter in the service's time zone, which is read on first use, when the page is parsed. */
export function zonedFormat(locale: string, options: Options): (moment: Date) => string {
  let format: Intl.DateTimeFormat | undefined
  return (moment) => {
    format ??= new Intl.DateTimeFormat(locale, { ...options, timeZone: timeZone() })
    return format.format(moment)
  }
}

// Sweden writes '2026-06-04 10:42'.
const wallTime = zonedFormat('sv-SE', { dateStyle: 'short', timeStyle: 'short' })

/** The local date and time of a moment in the service's time zone: '2026-06-04T10:42'. */
export function wallTimeOf(moment: Date): string {
  return wallTime(moment).replace(' ', 'T')
}

/** The local date of a moment in the service's time zone: YYYY-MM-DD. */
export function dayOf(moment: Date): string {
  return wallTimeOf(moment).slice(0, 10)
}

/** The moment of a local date and time in the service's time zone. */
export function momentAt(wallTime: string): Date {
  const target = Date.parse(`${wallTime}Z`)
  const shifted = (moment: number) => moment + target - Date.parse(`${wallTimeOf(new Date(moment))}Z`)
  // The first round may use the offset on the other side of a daylight saving change.
  return new Date(shifted(shifted(target)))
}
