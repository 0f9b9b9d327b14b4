const DEFAULT = 'Europe/London'

/** The time zone where the service works: the server's setting TIME_ZONE, which the page carries in a meta element. */
function timeZone(): string {
  return document.querySelector<HTMLMetaElement>('meta[name="time-zone"]')?.content || DEFAULT
}

type Options = Intl.DateTimeFormatOptions
/** A formatter of moments in the time zone of the service. The zone is read when it is first used, once the page is there. */
export function zonedFormat(locale: string, options: Options): (moment: Date) => string {
  let format: Intl.DateTimeFormat | undefined
  return (moment) => {
    format ??= new Intl.DateTimeFormat(locale, { ...options, timeZone: timeZone() })
    return format.format(moment)
  }
}

// Sweden writes '2026-06-04 10:42'.
const wallTime = zonedFormat('sv-SE', { dateStyle: 'short', timeStyle: 'short' })

/** What calendar and clock show at a moment where the service works: '2026-06-04T10:42'. */
export function wallTimeOf(moment: Date): string {
  return wallTime(moment).replace(' ', 'T')
}

/** The day of a moment where the service works: YYYY-MM-DD. */
export function dayOf(moment: Date): string {
  return wallTimeOf(moment).slice(0, 10)
}

/** The moment at which calendar and clock show this where the service works. */
export function momentAt(wallTime: string): Date {
  const wanted = Date.parse(`${wallTime}Z`)
  const shifted = (moment: number) => moment + wanted - Date.parse(`${wallTimeOf(new Date(moment))}Z`)
  // The first round may look up the offset on the other side of a change of the clocks.
  return new Date(shifted(shifted(wanted)))
}
