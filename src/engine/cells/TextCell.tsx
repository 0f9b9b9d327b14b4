import type { CellProps } from './cell.ts'

/** The value as it is; of a list or a group of values their texts, with commas. */
export function TextCell({ value }: CellProps) {
  return textOf(value)
}

function textOf(value: unknown): string {
  if (value === null || value === undefined) return ''
  if (typeof value !== 'object') return String(value)
  return Object.values(value).map(textOf).filter(Boolean).join(', ')
}
