import { capitalised } from '../../../contract/quoted.ts'
import { isCommonFirstName, isCommonSurname } from './commonNames.ts'
import { compareWords } from './compareWords.ts'
import { isKnownName, sharedForm } from './nameForms.ts'
import { type NameKeys, nameKeysOf, withoutParticle } from './nameKeys.ts'
import type { Person } from './person.ts'

export interface NameLikeness {
  score: number
  reasons: string[]
  /** True if all names are the same, in any order and spelling of marks. */
  isSame: boolean
  hasFirst: boolean
  /** True if the first names, or the surnames, are known and not alike. */
  isOtherFirst: boolean
  isOtherLast: boolean
}

/** How alike two first names or two surnames are. */
interface PartLikeness {
  score: number
  reasons: string[]
  isOther: boolean
}

const SAME_LAST = 8
const SAME_COMMON_LAST = 6
const PART_OF_LAST = 6.5
const SHARED_PART_OF_LAST = 4
const OTHER_LAST = -4
const SAME_FIRST = 6
const SAME_COMMON_FIRST = 4.5
const FORM_OF_FIRST = 5
const BEGINNING_OF_FIRST = 4
const SECOND_NAME = 4
const INITIAL = 1.5
const OTHER_FIRST = -6
const OTHER_MIDDLE = -3
const OTHER_GENERATION = -10
/** First name and surname in each other's field. */
const IN_OTHER_ORDER = -1
/** Minimum length of a name that may match a second name with a slip in it. */
const MIN_SLIP = 5
const UNKNOWN: PartLikeness = { score: 0, reasons: [], isOther: false }

/** Compares the names of two people in both orders, with second names, 'known as', short forms and slips. */
export function compareNames(a: Person, b: Person): NameLikeness {
  const [x, y] = [nameKeysOf(a), nameKeysOf(b)]
  const inOrder = compareInOrder(x, y)
  if (inOrder.isSame || !hasBoth(x) || !hasBoth(y)) return inOrder
  const [turned] = [compareInOrder(x, exchanged(y)), compareInOrder(exchanged(x), y)]
    .filter((one) => !one.isOtherFirst && !one.isOtherLast)
    .sort((p, q) => q.score - p.score)
  if (!turned || turned.score + IN_OTHER_ORDER <= inOrder.score) return inOrder
  return {
    ...turned,
    score: turned.score + IN_OTHER_ORDER,
    reasons: turned.isSame
      ? ['same name, first name and surname exchanged']
      : ['first name and surname exchanged', ...turned.reasons],
  }
}

function exchanged(names: NameKeys): NameKeys {
  return { ...names, firsts: names.lasts, lasts: names.firsts }
}

function hasBoth({ firsts, lasts }: NameKeys): boolean {
  return firsts.length > 0 && lasts.length > 0
}

function compareInOrder(x: NameKeys, y: NameKeys): NameLikeness {
  const last = compareLasts(x.lasts, y.lasts)
  const first = compareFirsts(x, y)
  const all = (names: NameKeys) => [...names.firsts, ...names.lasts].sort().join(' ')
  const isWhole = hasBoth(x) && hasBoth(y)
  const joined = (names: NameKeys) => `${names.firsts.join('')} ${names.lasts.join('')}`
  const isOtherGeneration = x.generation !== y.generation && Boolean(x.generation && y.generation)
  const isSame = isWhole && !isOtherGeneration && (joined(x) === joined(y) || all(x) === all(y))
  const common = {
    isSame,
    hasFirst: x.firsts.length > 0 && y.firsts.length > 0,
    isOtherFirst: !isSame && first.isOther,
    isOtherLast: !isSame && last.isOther,
  }
  if (isSame) return { ...common, score: Math.min(sameScore(x), sameScore(y)), reasons: ['same name'] }
  return {
    ...common,
    score: last.score + first.score + (isOtherGeneration ? OTHER_GENERATION : 0),
    reasons: [...last.reasons, ...first.reasons, ...(isOtherGeneration ? ['junior and senior'] : [])],
  }
}

/** Score of the same names; names that many people have score less, also if they are in each other's field. */
function sameScore({ firsts, lasts }: NameKeys): number {
  const isCommonFirst = [firsts[0], lasts[0]].some(isCommonFirstName)
  const isCommonLast = [firsts.join(''), lasts.join('')].some(isCommonSurname)
  return (isCommonFirst ? SAME_COMMON_FIRST : SAME_FIRST) + (isCommonLast ? SAME_COMMON_LAST : SAME_LAST)
}

function compareLasts(x: string[], y: string[]): PartLikeness {
  if (x.length === 0 || y.length === 0) return UNKNOWN
  const [a, b] = [x.join(''), y.join('')]
  if (a === b) {
    const score = isCommonSurname(a) ? SAME_COMMON_LAST : SAME_LAST
    return { score, reasons: ['same surname'], isOther: false }
  }
  const [bareA, bareB] = [x.map(withoutParticle), y.map(withoutParticle)]
  if (bareA.join('') === bareB.join(''))
    return { score: PART_OF_LAST, reasons: ['same surname but for its particle'], isOther: false }
  const shared = bareA.filter((word) => bareB.includes(word) && word.length > 1)
  if (shared.length > 0) {
    const isPart = shared.length === Math.min(x.length, y.length)
    const score = isPart ? PART_OF_LAST : SHARED_PART_OF_LAST
    return { score, reasons: ['part of the surname the same'], isOther: false }
  }
  const slip = compareWords(a, b)
  const discount = isCommonSurname(a) && isCommonSurname(b) ? 2.5 : 0
  if (slip) return { score: slip.score - discount, reasons: [`surname ${slip.words}`], isOther: false }
  // One part of a double-barrelled name with a slip in it.
  const slips = x.length + y.length > 2 && x.some((one) => y.some((other) => compareWords(one, other)))
  if (slips) return { score: SHARED_PART_OF_LAST, reasons: ['part of the surname alike'], isOther: false }
  return { score: OTHER_LAST, reasons: ['another surname'], isOther: true }
}

function compareFirsts(x: NameKeys, y: NameKeys): PartLikeness {
  if (x.firsts.length === 0 || y.firsts.length === 0) return UNKNOWN
  const own = comparePrimary(x, y)
  const [middlesX, middlesY] = [x.firsts.slice(1), y.firsts.slice(1)]
  if (own.isOther || middlesX.length === 0 || middlesY.length === 0) return own
  const isShared = middlesX.some((one) => middlesY.some((other) => areMiddlesAlike(one, other)))
  return isShared
    ? own
    : { ...own, score: own.score + OTHER_MIDDLE, reasons: [...own.reasons, 'another second name'] }
}

function areMiddlesAlike(a: string, b: string): boolean {
  return a.startsWith(b) || b.startsWith(a) || Boolean(sharedForm(a, b) ?? compareWords(a, b))
}

function comparePrimary(x: NameKeys, y: NameKeys): PartLikeness {
  const [a, b] = [x.firsts[0], y.firsts[0]]
  if (a === b || x.firsts.join('') === y.firsts.join('')) {
    if (a.length === 1 && isLatin(a)) return { score: INITIAL, reasons: ['same initial'], isOther: false }
    const score = [a, b].some(isCommonFirstName) ? SAME_COMMON_FIRST : SAME_FIRST
    return { score, reasons: ['same first name'], isOther: false }
  }
  // Mary Ann, Mary-Ann and Maryann.
  if (a === y.firsts.join('') || b === x.firsts.join(''))
    return { score: SAME_FIRST, reasons: ['same first name'], isOther: false }
  const form = sharedForm(a, b)
  if (form) return { score: FORM_OF_FIRST, reasons: [form], isOther: false }
  if (isShortened(a, b))
    return { score: BEGINNING_OF_FIRST, reasons: ['beginning of the first name'], isOther: false }
  const slip = compareWords(a, b) ?? compareWords(x.firsts.join(''), y.firsts.join(''))
  if (slip && !areNamesOfTheirOwn(a, b)) {
    const discount = isCommonFirstName(a) && isCommonFirstName(b) ? 3 : 1
    return { score: slip.score - discount, reasons: [`first name ${slip.words}`], isOther: false }
  }
  const [called] = [calledBy(x, y), calledBy(y, x)]
    .flatMap((one) => one ?? [])
    .sort((p, q) => q.score - p.score)
  if (called) return called
  if (isInitial(a, b)) return { score: INITIAL, reasons: ['first name an initial'], isOther: false }
  return { score: OTHER_FIRST, reasons: ['another first name'], isOther: true }
}

/** The likeness of people of whom one is called by a second name of the other, or by what the other is known as. */
function calledBy(x: NameKeys, { firsts, known }: NameKeys): PartLikeness | undefined {
  const [name] = [x.firsts[0]]
  if (name.length === 1) return undefined
  const isAlike = (other: string) => name === other || sharedForm(name, other) !== undefined
  if (known.some(isAlike))
    return { score: FORM_OF_FIRST, reasons: [`known as ${capitalised(name)}`], isOther: false }
  if (x.known.some((own) => known.includes(own)))
    return { score: SECOND_NAME, reasons: ['known by the same name'], isOther: false }
  if (firsts.slice(1).some(isAlike))
    return { score: SECOND_NAME, reasons: ['first name is the second name'], isOther: false }
  const isSlip =
    name.length >= MIN_SLIP && [...known, ...firsts.slice(1)].some((other) => compareWords(name, other))
  return isSlip ? { score: SECOND_NAME - 1, reasons: ['second name alike'], isOther: false } : undefined
}

/**
 * Maximum length of two names together that are two names rather than a slip if both are known names: John and Joan.
 */
const MAX_OWN = 9

function areNamesOfTheirOwn(a: string, b: string): boolean {
  const isKnown = (name: string) => isKnownName(name) || isCommonFirstName(name)
  const isOther = a.length === b.length || `${a}a` === b || `${b}a` === a
  return isOther && isKnown(a) && isKnown(b) && a.length + b.length <= MAX_OWN
}

/**
 * True if one name begins with the other and is at least two letters longer: Raj and Rajesh, but not Paul and Paula.
 */
function isShortened(a: string, b: string): boolean {
  const [short, long] = a.length < b.length ? [a, b] : [b, a]
  return short.length > 2 && long.length - short.length > 1 && long.startsWith(short) && !/\d/.test(long)
}

function isInitial(a: string, b: string): boolean {
  return isLatin(a) && (a.length === 1 || b.length === 1) && a[0] === b[0]
}

function isLatin(word: string): boolean {
  return /^[a-z]+$/.test(word)
}
