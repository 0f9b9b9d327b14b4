import { daysBetween, isRealDay } from '../../../contract/days.ts'
import { isExchange } from './editDistance.ts'

interface DateLikeness {
  score: number
  reasons: string[]
  isSame: boolean
  /** True if the dates are as far apart as those of a parent and a child. */
  isOtherGeneration: boolean
}

const SAME = 12
/** 1 January stands for an unknown day of the year on many papers. */
const SAME_NEW_YEAR = 7
const EXCHANGED = 8
const ONE_DIGIT = 7
const ONE_PART = 3
const OTHER = -8
/** Days that are entered where none is known. */
const PLACEHOLDERS = ['1900-01-01', '1901-01-01', '1800-01-01']
/** Minimum number of years between parent and child. */
const GENERATION = 14

/** Compares two dates of birth: equal, day and month exchanged, one digit or two neighbouring ones wrong. */
export function compareDates(a: string | null | undefined, b: string | null | undefined): DateLikeness {
  if (!isDate(a) || !isDate(b)) return likeness(0, [])
  if (a === b)
    return { ...likeness(a.endsWith('-01-01') ? SAME_NEW_YEAR : SAME, ['same date of birth']), isSame: true }
  if (exchangedDay(a) === b) return likeness(EXCHANGED, ['day and month of birth exchanged'])
  const differing = [...a].filter((digit, i) => digit !== b[i]).length
  if (differing === 1) return likeness(ONE_DIGIT, ['date of birth one digit apart'])
  if (isExchange(a, b)) return likeness(ONE_DIGIT, ['two digits of the date of birth exchanged'])
  const isOtherGeneration = Math.abs(daysBetween(a, b)) >= GENERATION * 365
  // Day and month of the year, or the month of another year: half remembered rather than another person's.
  if (a.slice(0, 7) === b.slice(0, 7)) return likeness(ONE_PART, ['same month and year of birth'])
  if (a.slice(4) === b.slice(4) && !isOtherGeneration)
    return likeness(ONE_PART, ['same day and month of birth'])
  return { ...likeness(OTHER, ['another date of birth']), isOtherGeneration }
}

function likeness(score: number, reasons: string[]): DateLikeness {
  return { score, reasons, isSame: false, isOtherGeneration: false }
}

function isDate(day: string | null | undefined): day is string {
  return typeof day === 'string' && isRealDay(day) && !PLACEHOLDERS.includes(day)
}

/** A date with day and month exchanged; undefined if there is no such date. */
function exchangedDay(day: string): string | undefined {
  const [year, month, date] = day.split('-')
  const exchanged = `${year}-${date}-${month}`
  return isRealDay(exchanged) && exchanged !== day ? exchanged : undefined
}

/**
 * A date of birth and the days that a slip makes of it, the date itself first: with these, people are found by an
 * index.
 */
export function slipsOf(dob: string | null | undefined): string[] {
  if (!isDate(dob)) return []
  const days = new Set([dob])
  const exchanged = exchangedDay(dob)
  if (exchanged) days.add(exchanged)
  const digits = [...dob]
  for (const [i, digit] of digits.entries()) {
    if (digit === '-') continue
    for (let other = 0; other <= 9; other++)
      days.add([...digits.slice(0, i), other, ...digits.slice(i + 1)].join(''))
    const next = digits[i + 1]
    if (next !== undefined && next !== '-')
      days.add([...digits.slice(0, i), next, digit, ...digits.slice(i + 2)].join(''))
  }
  const [earliest, latest] = [`${Number(dob.slice(0, 4)) - 100}`, `${Number(dob.slice(0, 4)) + 100}`]
  return [...days].filter((day) => isRealDay(day) && day > earliest && day < latest)
}
