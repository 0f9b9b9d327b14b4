import { APOSTROPHE, BLANK, DASH, INVISIBLE } from './characters.ts'

/**
 * Letters that Unicode does not decompose, with the plain ones that people type instead, and capitals of other
 * alphabets, whose case the database ignores in some locales. SQL's text_key has the same pairs.
 */
const [FROM, TO] = [
  'ŁłØøĐđÐðĦħŦŧıŊŋſƏəƁɓƊɗƘƙƳƴƐɛƆɔĸ' +
    'ΑΒΓΔΕΖΗΘΙΚΛΜΝΞΟΠΡΣΤΥΦΧΨΩς' +
    'АБВГДЕЖЗИКЛМНОПРСТУФХЦЧШЩЪЫЬЭЮЯЂЄЅІЈЉЊЋЏҐҒҚҢӨҮҰҺӘ' +
    'ԱԲԳԴԵԶԷԸԹԺԻԼԽԾԿՀՁՂՃՄՅՆՇՈՉՊՋՌՍՎՏՐՑՒՓՔՕՖ',
  'llooddddhhttinnseebbddkkyyeeook' +
    'αβγδεζηθικλμνξοπρστυφχψωσ' +
    'абвгдежзиклмнопрстуфхцчшщъыьэюяђєѕіјљњћџґғқңөүұһә' +
    'աբգդեզէըթժիլխծկհձղճմյնշոչպջռսվտրցւփքօֆ',
]
const PLAIN = new Map([...FROM].map((letter, i) => [letter, [...TO][i]]))
const LIGATURES: [RegExp, string][] = [
  [/[ßẞ]/g, 'ss'],
  [/[æÆ]/g, 'ae'],
  [/[œŒ]/g, 'oe'],
  [/[þÞ]/g, 'th'],
]
const IGNORED = new RegExp(`[\\u0300-\\u036F\\uFE00-\\uFE0F${INVISIBLE}${APOSTROPHE}${DASH}]+`, 'g')
const ALL_BLANKS = new RegExp(`[${BLANK}]+`, 'g')
/** Marks within a name that others write as a blank or leave out. */
const JOINTS = new RegExp(`[${APOSTROPHE}${DASH}]+`, 'g')
/** Separates the names in a name key: sorts before every character that a text key can contain. */
const BETWEEN_NAMES = '\u0001'

/**
 * The form in which texts are searched and compared: without case, accents, apostrophes, hyphens and invisible
 * characters. Equals text_key of the database.
 */
export function textKey(text: string): string {
  let key = text.normalize('NFD').replaceAll(IGNORED, '').replaceAll(ALL_BLANKS, ' ')
  for (const [letters, plain] of LIGATURES) key = key.replaceAll(letters, plain)
  key = [...key].map((letter) => PLAIN.get(letter) ?? letter).join('')
  return key.replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase()).replace(/^ | $/g, '')
}

/** Typographic double quotes and primes. */
const QUOTES = /["\u00AB\u00BB\u201C-\u201F\u2033]/g
const SPACED_DASHES = new RegExp(`[${BLANK}]*[${DASH}]+[${BLANK}]*`, 'g')
/** Stands for a dash in a key: a private-use character, which no text contains and `textKey` leaves alone. */
const ANY_DASH = '\uE000'

/**
 * The form in which labels of choices are compared: typographic marks are the plain ones. Unlike `textKey` it has the
 * dashes: 'Ward 1–2' is 'ward 1-2', and not 'Ward 12'.
 */
export function choiceKey(label: string): string {
  return textKey(label.replaceAll(SPACED_DASHES, ANY_DASH).replaceAll(QUOTES, '"').replaceAll('…', '...'))
}

/** The form by which people are sorted and recognised as the same: surname, then first name. Equals SQL's name_key. */
export function nameKey(first: string, last: string): string {
  return textKey(last) + BETWEEN_NAMES + textKey(first)
}

/** Compares two keys of `nameKey` as `order by name_key` does: by Unicode code points, not by a locale. */
export function compareKeys(a: string, b: string): number {
  if (a === b) return 0
  // UTF-16 sorts letters outside the basic plane differently from UTF-8.
  const [x, y] = [[...a], [...b]]
  const i = x.findIndex((letter, at) => letter !== y[at])
  return (x[i]?.codePointAt(0) ?? -1) - (y[i < 0 ? x.length : i]?.codePointAt(0) ?? -1)
}

/** Compares labels without regard to case, accents and marks; numbers in them by their amount: 'Age 9', 'Age 10'. */
export function compareLabels(a: string, b: string): number {
  return compareKeys(labelKey(a), labelKey(b))
}

function labelKey(label: string): string {
  return textKey(label).replaceAll(/[0-9]+/g, (digits) => digits.padStart(12, '0'))
}

/**
 * The words of a search, split at blanks, commas, hyphens and apostrophes: the database has names both with and
 * without these.
 */
export function searchWords(text: string): string[] {
  return textKey(text.replaceAll(JOINTS, ' ').replaceAll(',', ' ')).split(' ').filter(Boolean)
}

/**
 * The national digits of a telephone number, without the leading zero, country code of the UK, extension and words:
 * '1632960001' for '+44 (0)1632 960001 ext 5'. Equals SQL's phone_key.
 */
export function phoneKey(text: string): string {
  const [number] = /^[+0-9 ()./-]*/.exec(plainPhone(text))!
  const digits = number.replaceAll(/[^0-9]/g, '').replace(/^0+/, '')
  // Shorter numbers beginning with 44 have no area code.
  return digits.length >= 11 && digits.startsWith('44') ? digits.slice(2).replace(/^0+/, '') : digits
}

function plainPhone(text: string): string {
  return text
    .replaceAll(new RegExp(`[${INVISIBLE}]+`, 'g'), '')
    .replaceAll(new RegExp(`[${DASH}]`, 'g'), '-')
    .replaceAll(ALL_BLANKS, ' ')
    .replace(/^ /, '')
}

/** Letters and digits only, as capitals: 'CB74AE', 'QQ123456C'. Equals SQL's code_key. */
export function codeKey(text: string): string {
  return textKey(text)
    .replaceAll(/[^a-z0-9]/g, '')
    .toUpperCase()
}
