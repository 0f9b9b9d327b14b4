import { formatDateTime } from '../core/dates.ts'
import type { CellProps } from './cell.ts'

/** 4 June 2026, 10:42 */
export function DateTimeCell({ value }: CellProps) {
  return value ? <time dateTime={String(value)}>{formatDateTime(String(value))}</time> : null
}
