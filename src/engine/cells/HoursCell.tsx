import type { CellProps } from './cell.ts'

/** Seconds as hours and minutes: 5400 is 01:30. */
export function HoursCell({ value }: CellProps) {
  return typeof value === 'number' ? formatHours(value) : null
}

/** '01:30' for 5400 seconds. */
export function formatHours(seconds: number): string {
  const minutes = Math.round(seconds / 60)
  const two = (n: number) => String(n).padStart(2, '0')
  return `${two(Math.floor(minutes / 60))}:${two(minutes % 60)}`
}
