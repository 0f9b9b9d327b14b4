import { codeKey, phoneKey } from './compareKey.ts'
import { isRealDay } from './days.ts'
import { normaliseLine } from './normalise.ts'

/** What a search for a person was understood as. */
export interface PersonTerm {
  /** The words that are no number or date: names, or a place. */
  words: string[]
  /** YYYY-MM-DD. */
  dob?: string
  /** Year of birth. */
  year?: number
  /** The digits of an NHS number, or a telephone number as it was typed. */
  number?: string
  id?: number
  postcode?: string
}

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec']
const MONTH = `(${MONTHS.join('|')})[a-z]*`
const DATES: { pattern: RegExp; parts: (match: RegExpExecArray) => [string, string, string] }[] = [
  { pattern: /(?<!\d)(\d{4})-(\d{1,2})-(\d{1,2})(?!\d)/, parts: ([, y, m, d]) => [y, m, d] },
  {
    pattern: /(?<!\d)(\d{1,2})\s*[/.-]\s*(\d{1,2})\s*[/.-]\s*(\d{4}|\d\d)(?!\d)/,
    parts: ([, d, m, y]) => [y, m, d],
  },
  {
    pattern: new RegExp(
      `(?<!\\d)(\\d{1,2})(?:st|nd|rd|th)?(?:\\s+of)?[\\s-]+${MONTH}[\\s,-]+(\\d{4}|\\d\\d)(?!\\d)`,
      'i',
    ),
    parts: ([, d, m, y]) => [y, monthOf(m), d],
  },
  {
    pattern: new RegExp(`${MONTH}\\s+(\\d{1,2})(?:st|nd|rd|th)?[\\s,]+(\\d{4})(?!\\d)`, 'i'),
    parts: ([, m, d, y]) => [y, monthOf(m), d],
  },
]
const POSTCODE = /(?<![A-Z\d])[A-Z]{1,2}\d[A-Z\d]?\s?\d[A-Z]{2}(?![A-Z\d])/i
/** A telephone or NHS number, with separators. */
const NUMBER = /(?<![\p{L}\d])[+(]?\d[\d ()./-]{5,}\d(?!\d)/u
const YEAR = /^(19|20)\d\d$/
/** Words around a date: 'born in 1949'. */
const FILLERS = [
  'born',
  'dob',
  'b',
  'nhs',
  'number',
  'no',
  'tel',
  'telephone',
  'phone',
  'in',
  'at',
  'of',
  'from',
  'on',
  'and',
]

/** Reads what somebody types who looks for a person: names, a date or year of birth, a number or a place, in any order. */
export function readPersonTerm(term: string, today: string): PersonTerm {
  const read: PersonTerm = { words: [] }
  let rest = ` ${normaliseLine(term)} `
  const find = (pattern: RegExp) => pattern.exec(rest)
  const without = ({ 0: found, index }: RegExpExecArray) => {
    rest = `${rest.slice(0, index)} ${rest.slice(index + found.length)}`
  }
  for (const { pattern, parts } of DATES) {
    const match = read.dob ? null : find(pattern)
    const day = match && dayOf(parts(match), today)
    if (!match || !day) continue
    read.dob = day
    without(match)
  }
  const postcode = find(POSTCODE)
  if (postcode) {
    read.postcode = codeKey(postcode[0])
    without(postcode)
  }
  const number = find(NUMBER)
  if (number && phoneKey(number[0]).length >= 6) {
    read.number = number[0].trim()
    without(number)
  }
  for (const word of rest.split(/[\s,;:]+/).filter(Boolean)) {
    if (YEAR.test(word) && !read.dob && !read.year) read.year = Number(word)
    else if (/^\d{1,9}$/.test(word)) read.id ??= Number(word)
    else if (/[\p{L}\p{N}]/u.test(word)) read.words.push(word)
  }
  // A year alone may be the number of a record as well.
  if (read.year && normaliseLine(term) === String(read.year)) read.id = read.year
  const hasOthers = Object.keys(read).length > 1
  if (hasOthers)
    read.words = read.words.filter((word) => !FILLERS.includes(word.toLowerCase().replace('.', '')))
  return read
}

function monthOf(name: string): string {
  return String(MONTHS.indexOf(name.slice(0, 3).toLowerCase()) + 1)
}

/** A day of the past; of a year of two digits the latest one that has begun. Day and month may be exchanged. */
function dayOf([year, month, day]: [string, string, string], today: string): string | undefined {
  const century = Number(today.slice(0, 2))
  const years = year.length === 4 ? [year] : [`${century}${year}`, `${century - 1}${year}`]
  const two = (digits: string) => digits.padStart(2, '0')
  const days = years.flatMap((whole) => [
    `${whole}-${two(month)}-${two(day)}`,
    `${whole}-${two(day)}-${two(month)}`,
  ])
  return days.find((whole) => isRealDay(whole) && whole <= today)
}
