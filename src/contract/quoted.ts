const MAX_LENGTH = 80

/** A label in quotes for use inside a sentence, shortened to 80 characters; `name` replaces a blank label. */
export function quoted(label: string, name = ''): string {
  const words = label
    .slice(0, MAX_LENGTH * 4)
    .trim()
    .replaceAll(/\s+/g, ' ')
  // A short text is not split into letters, which takes long: it never has more letters than code units.
  const text = words.length > MAX_LENGTH ? firstLetters(words) : words
  return `'${text || name}'`
}

function firstLetters(words: string): string {
  const letters = [...words]
  return letters.length > MAX_LENGTH ? `${letters.slice(0, MAX_LENGTH - 1).join('')}…` : words
}

/** Truncates words for use inside a sentence, such as a condition of hundreds of parts. */
export function shortened(words: string): string {
  return words.length > MAX_LENGTH * 5 ? `${words.slice(0, MAX_LENGTH * 5).toWellFormed()}…` : words
}

/** Joins quoted labels: "'A', 'B' and 'C'"; of more than six, the first five and the number of the others. */
export function quotedAll(labels: string[]): string {
  const some = labels.length > 6 ? labels.slice(0, 5) : labels
  const words = some.map((label) => quoted(label))
  if (labels.length > some.length) words.push(`${labels.length - some.length} more`)
  return joinWords(words)
}

/** "one", "one and another", "one, another and a third"; with another conjunction than 'and', such as 'or'. */
export function joinWords(words: string[], conjunction = 'and'): string {
  return words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} ${conjunction} ${words.at(-1)}`
}

export function capitalised(words: string): string {
  return words.charAt(0).toUpperCase() + words.slice(1)
}
