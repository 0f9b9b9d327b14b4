const APOSTROPHES_AND_DASHES = /['’‘ʼʻ`´‐‑–-]/g

/** A text as it is compared, as the server does: case, accents and punctuation aside, '&' the word it stands for. */
function plain(text: string): string {
  const letters = text.normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase().replaceAll('&', ' and ')
  return letters
    .replaceAll(APOSTROPHES_AND_DASHES, '')
    .replaceAll(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
}

/** Whether a text has every word, or part of one, that was typed. */
export function matches(text: string, typed: string): boolean {
  return matchesWords(text, plain(typed).split(' '))
}

function matchesWords(text: string, words: string[]): boolean {
  const whole = plain(text)
  return words.every((word) => whole.includes(word))
}

interface Labelled {
  label: string
  about?: string
  group?: string
}

/**
 * The choices that match what was typed, in their order. Of more than `limit`, those that begin with it come first, so
 * that a name which many others contain is not lost among them.
 */
export function findMatches<C extends Labelled>(choices: C[], typed: string, limit: number): C[] {
  const term = plain(typed)
  if (!term) return choices
  const words = term.split(' ')
  const found = choices.filter(({ label, about, group }) =>
    matchesWords([label, about, group].filter(Boolean).join(' '), words),
  )
  if (found.length <= limit) return found
  const isFirst = ({ label }: C) => plain(label).startsWith(term)
  return [...found.filter(isFirst), ...found.filter((choice) => !isFirst(choice))]
}
