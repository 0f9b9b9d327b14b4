import { textKey } from '../../../contract/compareKey.ts'

/** The words of a text as they are compared: '&' as 'and', and without other punctuation. */
function wordsOf(text: string): string {
  return textKey(text.replaceAll('&', ' and '))
    .replaceAll(/[^\p{L}\p{M}\p{N}]+/gu, ' ')
    .trim()
}

/** True if a text contains every typed word or part of a word. */
export function matches(text: string, typed: string): boolean {
  return matchesWords(text, wordsOf(typed).split(' '))
}

function matchesWords(text: string, words: string[]): boolean {
  const whole = wordsOf(text)
  return words.every((word) => whole.includes(word))
}

interface Labelled {
  label: string
  about?: string
  group?: string
}

/**
 * The choices that match what was typed, in their order. If there are more than `limit`, those that begin with it come
 * first, so that a name which many others contain is not lost among them.
 */
export function findMatches<C extends Labelled>(choices: C[], typed: string, limit: number): C[] {
  const term = wordsOf(typed)
  if (!term) return choices
  const words = term.split(' ')
  const found = choices.filter(({ label, about, group }) =>
    matchesWords([label, about, group].filter(Boolean).join(' '), words),
  )
  if (found.length <= limit) return found
  const isFirst = ({ label }: C) => wordsOf(label).startsWith(term)
  return [...found.filter(isFirst), ...found.filter((choice) => !isFirst(choice))]
}
