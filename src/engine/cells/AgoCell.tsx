import { formatDate, formatRelativeDate } from '../core/dates.ts'
import type { CellProps } from './cell.ts'

/** A date relative to today, such as '12 days ago'; the date itself is the title. */
export function AgoCell({ value }: CellProps) {
  if (!value) return null
  const day = String(value).slice(0, 10)
  return (
    <time dateTime={day} title={formatDate(day)}>
      {formatRelativeDate(day)}
    </time>
  )
}
