const LONGEST = 80

/** A label inside a sentence, in quotes and not longer than can be read there; `name` stands for one left blank. */
export function quoted(label: string, name = ''): string {
  const letters = [
    ...label
      .slice(0, LONGEST * 4)
      .trim()
      .replaceAll(/\s+/g, ' '),
  ]
  const text = letters.length > LONGEST ? `${letters.slice(0, LONGEST - 1).join('')}…` : letters.join('')
  return `'${text || name}'`
}

/** Words of any length for inside a sentence: a condition of hundreds of parts is cut off. */
export function shortened(words: string): string {
  return words.length > LONGEST * 5 ? `${words.slice(0, LONGEST * 5).toWellFormed()}…` : words
}

/** "'A', 'B' and 'C'": labels in a row; of very many the first few and how many more. */
export function quotedAll(labels: string[]): string {
  const some = labels.length > 6 ? labels.slice(0, 5) : labels
  const words = some.map((label) => quoted(label))
  if (labels.length > some.length) words.push(`${labels.length - some.length} more`)
  return words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} and ${words.at(-1)}`
}
