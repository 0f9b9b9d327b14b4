import type { CellProps } from './cell.ts'

/** Seconds as hours and minutes: 5400 is 01:30. */
export function HoursCell({ value }: CellProps) {
  if (typeof value !== 'number') return null
  const minutes = Math.round(value / 60)
  const two = (n: number) => String(n).padStart(2, '0')
  return `${two(Math.floor(minutes / 60))}:${two(minutes % 60)}`
}
