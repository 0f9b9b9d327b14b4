import type { CellProps } from './cell.ts'
import { dayText } from './dates.ts'

/** 4 June 2026 */
export function DateCell({ value }: CellProps) {
  return value ? <time dateTime={String(value)}>{dayText(String(value))}</time> : null
}
