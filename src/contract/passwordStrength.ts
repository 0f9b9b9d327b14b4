import { MIN_PASSWORD_LENGTH } from './rules.ts'

/** Length from which on a password is called strong. */
const STRONG_LENGTH = 18
/** A password with fewer different characters is called easy to guess. */
const MIN_CHARACTERS = 6

const PATTERN_WORDS =
  'spring summer autumn winter january february march april may june july august september october november december ' +
  'monday tuesday wednesday thursday friday saturday sunday christmas easter password passwort welcome letmein changeme login admin'
/** A password is a pattern if no more letters than these remain without the words above. */
const MAX_LETTERS_LEFT = 3

/**
 * True if a password, in small letters, is little more than words that guessers try first, with a year or other digits.
 */
export function isPattern(plain: string): boolean {
  const rest = PATTERN_WORDS.split(' ').reduce((text, word) => text.replaceAll(word, ' '), plain)
  return rest !== plain && (rest.match(/\p{L}/gu) ?? []).length <= MAX_LETTERS_LEFT
}

/** How strong a password is, in words, while it is typed; the server also compares it with those that many people use. */
export function describeStrength(password: string): string {
  const characters = [...password]
  const missing = MIN_PASSWORD_LENGTH - characters.length
  if (missing > 0) return `Too short: ${missing === 1 ? '1 more character' : `${missing} more characters`}`
  if (isPattern(password.normalize('NFKC').toLowerCase()))
    return 'Easy to guess: a season, a month, a year or the like'
  if (new Set(characters).size < MIN_CHARACTERS) return 'Easy to guess: few different characters'
  return characters.length < STRONG_LENGTH ? 'Good. Longer is stronger' : 'Strong'
}
