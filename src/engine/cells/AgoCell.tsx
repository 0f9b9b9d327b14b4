import type { CellProps } from './cell.ts'
import { formatDate, formatRelativeDate } from './dates.ts'

/** How many days ago a day was; the day itself is its title. */
export function AgoCell({ value }: CellProps) {
  if (!value) return null
  const day = String(value).slice(0, 10)
  return (
    <time dateTime={day} title={formatDate(day)}>
      {formatRelativeDate(day)}
    </time>
  )
}
