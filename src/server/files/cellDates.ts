const DAY_MS = 86_400_000
/** Day 0 of Excel's serial numbers. Excel has a 29 February 1900, so numbers before that March are one too low. */
const EPOCH_1900 = Date.UTC(1899, 11, 30)
const EPOCH_1904 = Date.UTC(1904, 0, 1)
/** The serial numbers of 1 March 1900 and of the last day of 9999. */
const MARCH_1900 = 61
const LAST_SERIAL = 2_958_465

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec']
const SERIAL = /^\d{1,7}(\.\d+)?$/
const ISO = /^(\d{4})-(\d{1,2})-(\d{1,2})$/
/** A date with the day first, as in Britain. */
const DAY_FIRST = /^(\d{1,2})[/.-](\d{1,2})[/.-](\d{4})$/
const WITH_MONTH = /^(\d{1,2})(?:st|nd|rd|th)?[ -]([a-z]{3})[a-z]*[ -,]*(\d{4})$/i
const TIME = /^(\d{1,2}):(\d{2})(?::\d{2})?$/

/** Parses a cell as YYYY-MM-DD: a serial number of Excel, or a written date; undefined for anything else. */
export function dayOfCell(text: string, date1904 = false): string | undefined {
  if (SERIAL.test(text)) return timeOfSerial(Math.floor(Number(text)), date1904)?.slice(0, 10)
  const [, y, m, d] = text.replace(/[T ]\d.*$/, '').match(ISO) ?? []
  if (y) return day(Number(y), Number(m), Number(d))
  const dayFirst = text.match(DAY_FIRST)
  if (dayFirst) return day(Number(dayFirst[3]), Number(dayFirst[2]), Number(dayFirst[1]))
  const named = text.match(WITH_MONTH)
  if (!named) return undefined
  return day(Number(named[3]), MONTHS.indexOf(named[2].toLowerCase()) + 1, Number(named[1]))
}

/** Parses a date and time in a cell as ISO in UTC; without a zone it is in `timeZone`. */
export function timeOfCell(text: string, date1904 = false, timeZone = 'UTC'): string | undefined {
  if (/T.*(Z|[+-]\d\d:?\d\d)$/.test(text)) {
    const at = new Date(text)
    return Number.isNaN(at.getTime()) ? undefined : at.toISOString()
  }
  if (SERIAL.test(text)) {
    const local = timeOfSerial(Number(text), date1904)
    return local && toUtc(local, timeZone)
  }
  const [date, time = '00:00'] = text.split(/[T ](?=\d{1,2}:)/)
  const day = dayOfCell(date)
  const [, hours, minutes] = time.match(TIME) ?? []
  if (!day || !hours || Number(hours) > 23 || Number(minutes) > 59) return undefined
  return toUtc(`${day}T${hours.padStart(2, '0')}:${minutes}:00.000Z`, timeZone)
}

/** Parses a month in a cell as YYYY-MM: 'June 2026', '2026-06', '6/2026', or that of a date. */
export function monthOfCell(text: string, date1904 = false): string | undefined {
  const [, year, month] = text.match(/^(\d{4})-(\d{1,2})$/) ?? []
  if (year) return day(Number(year), Number(month), 1)?.slice(0, 7)
  const [, first, last] = text.match(/^(\d{1,2})[/.](\d{4})$/) ?? []
  if (first) return day(Number(last), Number(first), 1)?.slice(0, 7)
  const named = text.match(/^([a-z]{3})[a-z]*[ -](\d{4})$/i)
  if (named) return day(Number(named[2]), MONTHS.indexOf(named[1].toLowerCase()) + 1, 1)?.slice(0, 7)
  return dayOfCell(text, date1904)?.slice(0, 7)
}

/** Parses a time of day in a cell as HH:mm: a written time, or the fraction of a day that Excel stores. */
export function clockOfCell(text: string): string | undefined {
  const seconds = durationOfCell(text)
  if (seconds === undefined || seconds >= 24 * 60 * 60) return undefined
  const minutes = seconds / 60
  return `${String(Math.floor(minutes / 60)).padStart(2, '0')}:${String(minutes % 60).padStart(2, '0')}`
}

/** Parses a duration in a cell, in seconds: hours and minutes, or the fraction of a day that Excel stores. */
export function durationOfCell(text: string): number | undefined {
  const [, hours, minutes] = text.match(TIME) ?? []
  if (hours) return Number(minutes) < 60 ? (Number(hours) * 60 + Number(minutes)) * 60 : undefined
  return SERIAL.test(text) ? Math.round(Number(text) * 24 * 60) * 60 : undefined
}

function timeOfSerial(serial: number, date1904: boolean): string | undefined {
  if (serial < (date1904 ? 0 : 1) || serial >= LAST_SERIAL + 1) return undefined
  const days = date1904 || serial >= MARCH_1900 ? serial : serial + 1
  // Round to minutes, because the fraction of a day is inexact.
  const at = (date1904 ? EPOCH_1904 : EPOCH_1900) + Math.round((days * DAY_MS) / 60_000) * 60_000
  return new Date(at).toISOString()
}

function day(year: number, month: number, date: number): string | undefined {
  const at = new Date(Date.UTC(year, month - 1, date))
  const isReal = at.getUTCFullYear() === year && at.getUTCMonth() === month - 1 && at.getUTCDate() === date
  return isReal ? at.toISOString().slice(0, 10) : undefined
}

/** Converts a local time in a zone, written as if it were UTC, to UTC. */
function toUtc(local: string, timeZone: string): string {
  const localTime = Date.parse(local)
  // Twice, because the first guess may be on the other side of a clock change.
  let at = localTime
  for (let i = 0; i < 2; i++) at = localTime - (localTimeAt(at, timeZone) - at)
  return new Date(at).toISOString()
}

function localTimeAt(at: number, timeZone: string): number {
  const parts = new Intl.DateTimeFormat('en-CA', {
    timeZone,
    hourCycle: 'h23',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
  }).formatToParts(at)
  const part = (type: string) => Number(parts.find((one) => one.type === type)!.value)
  return Date.UTC(part('year'), part('month') - 1, part('day'), part('hour'), part('minute'), part('second'))
}
