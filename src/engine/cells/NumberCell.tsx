import type { CellProps } from './cell.ts'

/** A number with its thousands set apart: 12,345. */
export function NumberCell({ value }: CellProps) {
  return typeof value === 'number' ? value.toLocaleString('en-GB') : null
}
