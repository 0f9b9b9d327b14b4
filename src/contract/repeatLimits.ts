import type { Field } from './generated.ts'

/** Most rows of a repeat without `max`. */
export const MAX_ROWS = 100
/** Most rows of a nested repeat in all rows of its parent together. */
const MAX_INNER_ROWS = 1000

export function mostRows({ attrs }: Field): number {
  return attrs?.max ?? MAX_ROWS
}

/** Most rows of a nested repeat in each row of its parent `around`; each row is validated and rendered on its own. */
export function mostInnerRows(around: Field): number {
  return Math.floor(MAX_INNER_ROWS / mostRows(around))
}
