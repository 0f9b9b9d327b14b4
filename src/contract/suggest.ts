/** `; did you mean 'x'?` for the known word nearest to a wrong one, or nothing where none is near. */
export function suggest(word: string, known: Iterable<string>): string {
  let best = ''
  let least = Math.max(2, Math.floor(word.length / 2)) + 1
  for (const candidate of known) {
    const distance = edits(word, candidate)
    if (distance < least) {
      least = distance
      best = candidate
    }
  }
  return best ? `; did you mean '${best}'?` : ''
}

/** Edit distance (insert, delete, replace, swap of neighbours), by rows. */
function edits(a: string, b: string): number {
  let before: number[] = []
  let last = Array.from({ length: b.length + 1 }, (_, j) => j)
  for (let i = 1; i <= a.length; i++) {
    const row = [i]
    for (let j = 1; j <= b.length; j++) {
      const cost = a[i - 1] === b[j - 1] ? 0 : 1
      row[j] = Math.min(last[j] + 1, row[j - 1] + 1, last[j - 1] + cost)
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1])
        row[j] = Math.min(row[j], before[j - 2] + 1)
    }
    before = last
    last = row
  }
  return last[b.length]
}
