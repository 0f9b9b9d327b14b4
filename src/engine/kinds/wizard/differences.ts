import { textKey } from '../../../contract/compareKey.ts'

/** A part of a text, and whether it differs from what was typed. */
export interface Piece {
  text: string
  differs: boolean
}

/**
 * A found name in pieces, with the letters that differ from the typed words: each of its words is compared with the typed
 * one that is most like it. A word for which nothing was typed, or only its beginning, does not differ.
 */
export function differences(found: string, typed: string[]): Piece[] {
  const parts = found.split(/([\s-]+)/)
  const partners = partnersOf(parts.map(textKey), typed.map(textKey).filter(Boolean))
  const isBegun = (part: string, typed: string) => textKey(part).startsWith(textKey(typed))
  return merged(
    parts.flatMap((part, i) => {
      const typed = partners.get(i)
      return typed === undefined || isBegun(part, typed) ? [same(part)] : piecesOf(part, typed)
    }),
  )
}

/** A found day in words in pieces, with what differs from a typed one in the same words: '25 July 1949'. */
export function dayDifferences(found: string, typed: string): Piece[] {
  const words = typed.split(' ')
  const parts = found.split(/( )/)
  const isSame = (part: string, i: number) => i % 2 === 1 || part === words[i / 2]
  return merged(
    parts.flatMap((part, i) => (isSame(part, i) ? [same(part)] : piecesOf(part, words[i / 2] ?? ''))),
  )
}

/** The typed word for each word of a name, by its place; each typed word belongs to one. */
function partnersOf(words: string[], typed: string[]): Map<number, string> {
  const partners = new Map<number, string>()
  const left = [...typed]
  const pairs = words
    .flatMap((word, i) => typed.map((other) => ({ i, other, score: likeness(word, other) })))
    .filter(({ i }) => /\p{L}|\d/u.test(words[i]))
    .sort((a, b) => b.score - a.score)
  for (const { i, other } of pairs) {
    const at = left.indexOf(other)
    if (at < 0 || partners.has(i)) continue
    partners.set(i, other)
    left.splice(at, 1)
  }
  return partners
}

/**
 * The share of letters at both ends that two words have in common; 1 if the typed one begins the word, 2 if they are
 * equal.
 */
function likeness(word: string, typed: string): number {
  if (word === typed) return 2
  if (word.startsWith(typed)) return 1
  const { start, end } = shared([...word], [...typed])
  return (start + end) / Math.max(word.length, typed.length)
}

function same(text: string): Piece {
  return { text, differs: false }
}

/** The pieces of a word that is not the typed one. */
function piecesOf(part: string, typed: string): Piece[] {
  const letters = [...part]
  const keys = letters.map((letter) => textKey(letter))
  const others = [...textKey(typed)]
  const { start, end } = shared(keys, others)
  if (2 * (start + end) < Math.max(keys.length, others.length)) return [{ text: part, differs: true }]
  // A letter that is missing in the name is next to one of it.
  const from = start + end < letters.length ? start : Math.max(0, start - 1)
  const to = Math.max(letters.length - end, from + 1)
  return [
    same(letters.slice(0, from).join('')),
    { text: letters.slice(from, to).join(''), differs: true },
    same(letters.slice(to).join('')),
  ]
}

/** The numbers of letters that two words share at their beginning, and of the rest at their end. */
function shared(a: string[], b: string[]): { start: number; end: number } {
  const least = Math.min(a.length, b.length)
  let start = 0
  while (start < least && a[start] === b[start]) start++
  let end = 0
  while (end < least - start && a.at(-1 - end) === b.at(-1 - end)) end++
  return { start, end }
}

function merged(pieces: Piece[]): Piece[] {
  const all: Piece[] = []
  for (const piece of pieces) {
    const last = all.at(-1)
    if (piece.text === '') continue
    if (last?.differs === piece.differs) last.text += piece.text
    else all.push({ ...piece })
  }
  return all
}
