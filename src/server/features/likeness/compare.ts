import { compareDates } from './compareDates.ts'
import { compareNames } from './compareNames.ts'
import { editDistance } from './editDistance.ts'
import { nhsDigits, phoneKeys, postcodeKey } from './numbers.ts'
import type { Person } from './person.ts'

/** How alike two people are: whether they are the same person, a score to sort by, and why in words. */
export interface Likeness {
  score: number
  /** null: not likely the same person. */
  certainty: 'certain' | 'likely' | null
  reasons: string[]
}

/**
 * Minimum score of two people who are likely the same. Scores are the sums of binary logarithms, as of Fellegi and
 * Sunter: how much more often a value agrees, or differs, between records of one person than between those of two.
 */
const LIKELY = 10
const SAME_NHS = 40
const OTHER_NHS = -18
const SAME_PHONE = 5
const OTHER_PHONE = -1
const SAME_POSTCODE = 4
const OTHER_POSTCODE = -1.5
/** Score of a date of birth that at least is a slip of the other. */
const ALIKE_DATES = 5

/**
 * Compares two people, whose order does not matter. The same NHS number is certain, and so are name, date of birth and
 * telephone or postcode together; everything else is at most likely.
 */
export function compare(a: Person, b: Person): Likeness {
  const names = compareNames(a, b)
  const dates = compareDates(a.dob, b.dob)
  const nhs = compareNhs(a.nhs_number, b.nhs_number)
  const phone = comparePhones(a, b)
  const postcode = comparePostcodes(a.postcode, b.postcode)
  const parts = [nhs, names, dates, phone, postcode]
  const score = Math.round(10 * parts.reduce((sum, part) => sum + part.score, 0)) / 10
  const reasons = [nhs, dates, names, phone, postcode].flatMap((part) => part.reasons)
  if (nhs.score === SAME_NHS) return { score, certainty: 'certain', reasons }
  const isSamePlace = phone.score === SAME_PHONE || postcode.score === SAME_POSTCODE
  if (names.isSame && dates.isSame && isSamePlace && nhs.score >= 0)
    return { score, certainty: 'certain', reasons }
  const isLikely =
    score >= LIKELY &&
    // Brothers and sisters, and twins, agree in everything else.
    !names.isOtherFirst &&
    // Parents and children of one name.
    !(dates.isOtherGeneration && !names.isOtherLast) &&
    // Without a first name, everybody in a family would be the same person.
    (names.hasFirst || dates.score >= ALIKE_DATES)
  return { score, certainty: isLikely ? 'likely' : null, reasons }
}

interface Part {
  score: number
  reasons: string[]
}

const UNKNOWN: Part = { score: 0, reasons: [] }

function compareNhs(a: Person['nhs_number'], b: Person['nhs_number']): Part {
  const [x, y] = [nhsDigits(a), nhsDigits(b)]
  if (!x || !y) return UNKNOWN
  if (x === y) return { score: SAME_NHS, reasons: ['same NHS number'] }
  // A slip says nothing: the check digit would have refused most of them.
  return editDistance(x, y) === 1
    ? { score: 0, reasons: ['NHS number one digit apart'] }
    : { score: OTHER_NHS, reasons: ['another NHS number'] }
}

function comparePhones(a: Person, b: Person): Part {
  const [x, y] = [phoneKeys(a), phoneKeys(b)]
  if (x.length === 0 || y.length === 0) return UNKNOWN
  return x.some((number) => y.includes(number))
    ? { score: SAME_PHONE, reasons: ['same telephone'] }
    : { score: OTHER_PHONE, reasons: [] }
}

function comparePostcodes(a: Person['postcode'], b: Person['postcode']): Part {
  const [x, y] = [postcodeKey(a), postcodeKey(b)]
  if (!x || !y) return UNKNOWN
  return x === y
    ? { score: SAME_POSTCODE, reasons: ['same postcode'] }
    : { score: OTHER_POSTCODE, reasons: [] }
}
