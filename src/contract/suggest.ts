/** Words longer than this get no suggestion: comparing them costs time, and nobody mistypes a name so long. */
const MAX_WORD_LENGTH = 64

/** `; did you mean 'x'?` for the known word nearest to a wrong one, or nothing where none is near. */
export function suggest(word: string, known: Iterable<string>): string {
  if (word.length > MAX_WORD_LENGTH) return ''
  let best = ''
  let least = Math.max(2, Math.floor(word.length / 2)) + 1
  for (const candidate of known) {
    const distance = edits(word, candidate, least)
    if (distance < least) {
      least = distance
      best = candidate
    }
  }
  return best ? `; did you mean '${best}'?` : ''
}

/** Edit distance (insert, delete, replace, swap of neighbours), by rows; `limit` where it is at least that. */
function edits(a: string, b: string, limit: number): number {
  if (Math.abs(a.length - b.length) >= limit) return limit
  let before: number[] = []
  let last = Array.from({ length: b.length + 1 }, (_, j) => j)
  let lastLeast = 0
  for (let i = 1; i <= a.length; i++) {
    const row = [i]
    let rowLeast = i
    for (let j = 1; j <= b.length; j++) {
      const cost = a[i - 1] === b[j - 1] ? 0 : 1
      row[j] = Math.min(last[j] + 1, row[j - 1] + 1, last[j - 1] + cost)
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1])
        row[j] = Math.min(row[j], before[j - 2] + 1)
      rowLeast = Math.min(rowLeast, row[j])
    }
    // Later rows depend only on these two.
    if (Math.min(rowLeast, lastLeast) >= limit) return limit
    before = last
    last = row
    lastLeast = rowLeast
  }
  return Math.min(last[b.length], limit)
}
