import { PLACEHOLDER } from '../../contract/filledTexts.ts'

/** What is searched for, and how. */
export interface Search {
  find: string
  matchesCase: boolean
  wholeWords: boolean
}

/** A part of a text: one that is found, or what stands between these. */
export interface Part {
  text: string
  isFound: boolean
}

/** The target of a link or picture in Markdown. */
const TARGET = /\]\([^)\s]*\)/g

/** A text with what is found in it, before and after it is replaced. */
export interface Replaced {
  before: Part[]
  after: Part[]
  text: string
}

/**
 * Replaces what is found in a text; undefined if nothing is. Placeholders and the targets of links stay as they are. If
 * case does not matter, a replacement begins with a capital where what it replaces does.
 */
export function replaceWords(text: string, search: Search, replacement: string): Replaced | undefined {
  const expression = expressionOf(search)
  if (!expression) return undefined
  const all = [...text.matchAll(expression)]
  if (all.length === 0) return undefined
  const kept = [PLACEHOLDER, TARGET].flatMap((one) =>
    [...text.matchAll(one)].map(({ index, 0: { length } }) => ({ from: index, to: index + length })),
  )
  const found = all.filter(
    ({ index, 0: { length } }) => !kept.some(({ from, to }) => index < to && index + length > from),
  )
  if (found.length === 0) return undefined
  const before: Part[] = []
  const after: Part[] = []
  let at = 0
  for (const { index, 0: words } of found) {
    const between = { text: text.slice(at, index), isFound: false }
    before.push(between, { text: words, isFound: true })
    after.push(between, {
      text: search.matchesCase ? replacement : likeCase(replacement, words),
      isFound: true,
    })
    at = index + words.length
  }
  const rest = { text: text.slice(at), isFound: false }
  const parts = [...after, rest].filter((part) => part.text !== '')
  return {
    before: [...before, rest].filter((part) => part.text !== ''),
    after: parts,
    text: parts.map((part) => part.text).join(''),
  }
}

function expressionOf({ find, matchesCase, wholeWords }: Search): RegExp | undefined {
  if (find.trim() === '') return undefined
  const words = find.replaceAll(/[\\^$.*+?()[\]{}|/]/g, '\\$&')
  const letter = '[\\p{L}\\p{M}\\p{N}_]'
  return new RegExp(wholeWords ? `(?<!${letter})${words}(?!${letter})` : words, matchesCase ? 'gu' : 'giu')
}

function likeCase(replacement: string, words: string): string {
  const [first] = words
  return first !== first.toLowerCase()
    ? replacement.charAt(0).toUpperCase() + replacement.slice(1)
    : replacement
}
