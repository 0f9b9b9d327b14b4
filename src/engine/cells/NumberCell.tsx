import type { CellProps } from './cell.ts'

/** A number with its thousands set apart: 12,345; of a list how many there are. */
export function NumberCell({ value }: CellProps) {
  const number = Array.isArray(value) ? value.length : value
  return typeof number === 'number' ? number.toLocaleString('en-GB') : null
}
