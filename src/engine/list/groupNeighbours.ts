import type { Row } from './results.ts'

/** Neighbours with the same value of a field. */
export function groupNeighbours(rows: Row[], field: string): Row[][] {
  const found: Row[][] = []
  for (const row of rows) {
    const last = found.at(-1)
    if (last && last[0][field] === row[field]) last.push(row)
    else found.push([row])
  }
  return found
}
