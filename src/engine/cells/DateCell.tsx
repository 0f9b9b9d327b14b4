import { formatDate } from '../core/dates.ts'
import type { CellProps } from './cell.ts'

/** 4 June 2026; a month is June 2026. */
export function DateCell({ value }: CellProps) {
  return value ? <time dateTime={String(value)}>{formatDate(String(value))}</time> : null
}
