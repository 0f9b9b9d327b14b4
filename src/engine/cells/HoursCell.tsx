import type { CellProps } from './cell.ts'
import { formatDuration } from './durationFormat.ts'

/** Seconds as hours and minutes: 5400 is 01:30. */
export function HoursCell({ value }: CellProps) {
  return typeof value === 'number' ? formatDuration(value) : null
}
