import type { CellProps } from './cell.ts'

/** A number with its thousands set apart: 12,345; of a list how many there are; a text in place of a number as it is. */
export function NumberCell({ value }: CellProps) {
  const number = Array.isArray(value) ? value.length : value
  if (typeof number === 'string') return number
  return typeof number === 'number' ? number.toLocaleString('en-GB') : null
}
