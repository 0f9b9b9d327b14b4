import type { CellProps } from './cell.ts'

/** A number with thousands separators: 12,345; the length of a list; a text is unchanged. */
export function NumberCell({ value }: CellProps) {
  const number = Array.isArray(value) ? value.length : value
  if (typeof number === 'string') return number
  return typeof number === 'number' ? number.toLocaleString('en-GB') : null
}
