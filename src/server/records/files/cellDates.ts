import { isRealDay } from '../../../contract/days.ts'

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
/** A time with a zone. */
const INSTANT = /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d.*(Z|[+-]\d\d:?\d\d)$/
/** A date in numbers, in Britain with the day first. */
const IN_NUMBERS = /^(\d{1,2})[/.-](\d{1,2})[/.-](\d{4})$/
const WITH_MONTH = /^(\d{1,2})(?:st|nd|rd|th)?[ -]([a-z]{3})[a-z]*[ -,]*(\d{4})$/i
const TIME = /^(\d{1,2}):(\d{2})(?::\d{2}(?:\.\d+)?)?$/

/** How the dates of a column are written. */
export interface DateOptions {
  /** The time zone of a time without one, and of the day of a time with one. */
  timeZone?: string
  /** True if a number is a date as Excel counts days; otherwise a number is none. */
  serials?: boolean
  /** True if the workbook counts days from 1904. */
  date1904?: boolean
  /** True for 6/4/2026 on 4 June. */
  monthFirst?: boolean
}

/** Parses a cell as YYYY-MM-DD; a valid time after the date is ignored. Undefined for anything else. */
export function dayOfCell(text: string, options: DateOptions = {}): string | undefined {
  if (SERIAL.test(text))
    return options.serials ? writtenDate(Math.floor(Number(text)), options.date1904) : undefined
  if (INSTANT.test(text)) return dayOfInstant(text, options.timeZone)
  const [date, time] = text.split(/(?:T|,? )(?=\d{1,2}:)/)
  if (time !== undefined && !isClock(time)) return undefined
  const [, y, m, d] = date.match(ISO) ?? []
  if (y) return day(Number(y), Number(m), Number(d))
  const [, first, second, year] = date.match(IN_NUMBERS) ?? []
  if (first) {
    const [dayOfMonth, month] = options.monthFirst ? [second, first] : [first, second]
    return day(Number(year), Number(month), Number(dayOfMonth))
  }
  const named = date.match(WITH_MONTH)
  if (!named) return undefined
  return day(Number(named[3]), MONTHS.indexOf(named[2].toLowerCase()) + 1, Number(named[1]))
}

/** The day of a time with a zone, in the service's time zone. */
function dayOfInstant(text: string, timeZone = 'UTC'): string | undefined {
  const at = instantOf(text)
  return at === undefined ? undefined : new Date(localTimeAt(at, timeZone)).toISOString().slice(0, 10)
}

/**
 * A time with a zone in milliseconds; undefined on a day that no calendar has, which JavaScript takes for a later one.
 */
function instantOf(text: string): number | undefined {
  const at = Date.parse(text.replace(' ', 'T'))
  return Number.isNaN(at) || !isRealDay(text.slice(0, 10)) ? undefined : at
}

function isClock(time: string): boolean {
  const [, hours, minutes] = time.match(TIME) ?? []
  return hours !== undefined && Number(hours) < 24 && Number(minutes) < 60
}

/** True if a date can only be one with the month first, such as 6/13/2026. */
export function isMonthFirst(text: string): boolean {
  const [, first, second] = text.split(' ')[0].match(IN_NUMBERS) ?? []
  return first !== undefined && Number(first) <= 12 && Number(second) > 12 && Number(second) <= 31
}

/** 13/6/2026 for 6/13/2026; other texts stay as they are. */
export function swapDayAndMonth(text: string): string {
  return text.replace(/^(\d{1,2})([/.-])(\d{1,2})(?=[/.-]\d{4})/, '$3$2$1')
}

/** Parses a date and time in a cell as ISO in UTC; without a zone it is in `timeZone`. */
export function timeOfCell(text: string, options: DateOptions = {}): string | undefined {
  const { timeZone = 'UTC' } = options
  if (INSTANT.test(text)) {
    const at = instantOf(text)
    return at === undefined ? undefined : new Date(at).toISOString()
  }
  if (SERIAL.test(text)) {
    const local = options.serials ? timeOfSerial(Number(text), options.date1904 ?? false) : undefined
    return local && toUtc(local, timeZone)
  }
  const [date, time = '00:00'] = text.split(/(?:T|,? )(?=\d{1,2}:)/)
  const day = dayOfCell(date, options)
  if (!day || !isClock(time)) return undefined
  const [, hours, minutes] = time.match(TIME)!
  return toUtc(`${day}T${hours.padStart(2, '0')}:${minutes}:00.000Z`, timeZone)
}

/** Parses a month in a cell as YYYY-MM: 'June 2026', '2026-06', '6/2026', or that of a date. */
export function monthOfCell(text: string, options: DateOptions = {}): string | undefined {
  const [, year, month] = text.match(/^(\d{4})-(\d{1,2})$/) ?? []
  if (year) return day(Number(year), Number(month), 1)?.slice(0, 7)
  const [, first, last] = text.match(/^(\d{1,2})[/.](\d{4})$/) ?? []
  if (first) return day(Number(last), Number(first), 1)?.slice(0, 7)
  const named = text.match(/^([a-z]{3})[a-z]*[ -](\d{4})$/i)
  if (named) return day(Number(named[2]), MONTHS.indexOf(named[1].toLowerCase()) + 1, 1)?.slice(0, 7)
  return dayOfCell(text, options)?.slice(0, 7)
}

/** Parses a time of day in a cell as HH:mm; a number below 1 is a part of a day, which is how Excel stores a time. */
export function clockOfCell(text: string): string | undefined {
  const seconds = durationOfCell(text, true)
  if (seconds === undefined || seconds >= 24 * 60 * 60) return undefined
  const minutes = seconds / 60
  return `${String(Math.floor(minutes / 60)).padStart(2, '0')}:${String(minutes % 60).padStart(2, '0')}`
}

/** Parses hours and minutes in a cell, in seconds; with `serials` a number is one of days, as Excel stores it. */
export function durationOfCell(text: string, serials = false): number | undefined {
  const [, hours, minutes] = text.match(TIME) ?? []
  if (hours) return Number(minutes) < 60 ? (Number(hours) * 60 + Number(minutes)) * 60 : undefined
  return serials && SERIAL.test(text) ? Math.round(Number(text) * 24 * 60) * 60 : undefined
}

/** Excel's number of a day in writing, with its time if it has one; undefined for what Excel shows as no date. */
export function writtenDate(serial: number, date1904 = false): string | undefined {
  const at = timeOfSerial(serial, date1904)
  return at?.endsWith('T00:00:00.000Z') ? at.slice(0, 10) : at?.slice(0, 16)
}

/** A number of days as hours and minutes, such as 26:30. */
export function writtenDuration(days: number): string | undefined {
  const minutes = Math.round(days * 24 * 60)
  if (minutes < 0) return undefined
  return `${Math.floor(minutes / 60)}:${String(minutes % 60).padStart(2, '0')}`
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

/** Excel's number of a local time, which is written as if it were UTC; undefined before March 1900. */
export function serialOf(local: number): number | undefined {
  const serial = (local - EPOCH_1900) / DAY_MS
  return serial < MARCH_1900 ? undefined : serial
}

/** The local time in a zone at a moment, written as if it were UTC. */
export function localTimeAt(at: number, timeZone: string): number {
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
