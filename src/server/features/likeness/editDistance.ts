/**
 * The number of letters inserted, left out or replaced, and of neighbours exchanged, between two texts (optimal string
 * alignment).
 */
export function editDistance(a: string, b: string): number {
  const [x, y] = [[...a], [...b]]
  let [before, last] = [[] as number[], Array.from({ length: y.length + 1 }, (_, j) => j)]
  for (let i = 1; i <= x.length; i++) {
    const row = [i]
    for (let j = 1; j <= y.length; j++) {
      const replaced = last[j - 1] + (x[i - 1] === y[j - 1] ? 0 : 1)
      row[j] = Math.min(last[j] + 1, row[j - 1] + 1, replaced)
      const isExchanged = i > 1 && j > 1 && x[i - 1] === y[j - 2] && x[i - 2] === y[j - 1]
      if (isExchanged) row[j] = Math.min(row[j], before[j - 2] + 1)
    }
    ;[before, last] = [last, row]
  }
  return last[y.length]
}

/** True if the texts differ by two neighbours that are exchanged. */
export function isExchange(a: string, b: string): boolean {
  if (a.length !== b.length) return false
  const at = [...a].findIndex((letter, i) => letter !== b[i])
  return at >= 0 && a.slice(0, at) + a[at + 1] + a[at] + a.slice(at + 2) === b
}
