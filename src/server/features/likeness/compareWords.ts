import { editDistance, isExchange } from './editDistance.ts'
import { soundKey } from './nameKeys.ts'

interface WordLikeness {
  score: number
  /** Follow 'surname' or 'first name'. */
  words: string
}

const ONE_LETTER = 6
const TWO_LETTERS = 3.5
const SOUNDS_ALIKE = 5
/** Score of names of three letters with one letter replaced: that is much of the name. */
const SHORT_NAME = 1.5
/** Minimum length of a name of which one letter may be replaced, and of one of which two letters may differ. */
const SHORT = 4
const LONG = 7

/** How two different words are alike, by slips of typing or by their sound; undefined if they are not. */
export function compareWords(a: string, b: string): WordLikeness | undefined {
  const least = Math.min(a.length, b.length)
  // A character of Chinese is a name of its own, not a letter; numbers tell people apart.
  if (least < 3 || /[\p{Script=Han}\d]/u.test(a + b)) return undefined
  const distance = editDistance(a, b)
  if (distance === 1) {
    if (isExchange(a, b)) return { score: ONE_LETTER, words: 'with two letters exchanged' }
    const isShort = least < SHORT && a.length === b.length
    return { score: isShort ? SHORT_NAME : ONE_LETTER, words: 'one letter apart' }
  }
  if (least >= SHORT && distance <= Math.max(2, Math.floor(Math.max(a.length, b.length) / 3))) {
    const sound = soundKey(a)
    if (sound.length > 1 && sound === soundKey(b)) return { score: SOUNDS_ALIKE, words: 'sounds alike' }
  }
  if (least >= LONG && distance === 2) return { score: TWO_LETTERS, words: 'two letters apart' }
}
