import type { Field } from './generated.ts'

/** Most rows of a repeat that says nothing of it. */
export const MOST_ROWS = 100
/** Most rows that all rows of a repeat can hold of another one together. */
const MOST_INNER_ROWS = 1000

/** Most rows of a repeat. */
export function mostRows({ attrs }: Field): number {
  return attrs?.max ?? MOST_ROWS
}

/** Most rows that a repeat can have in each row of the one around it; each is validated and drawn by itself. */
export function mostInnerRows(around: Field): number {
  return Math.floor(MOST_INNER_ROWS / mostRows(around))
}
