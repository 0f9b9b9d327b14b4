import { today } from '../runtime/today.ts'
import type { CellProps } from './cell.ts'
import { formatDate, formatRelativeDate } from './dates.ts'

/** A day by which something is to be done: '25 days overdue', 'today', 'in 3 days', coloured by which of these it is. */
export function DueCell({ value }: CellProps) {
  if (!value) return null
  const day = String(value).slice(0, 10)
  const state = day < today() ? 'overdue' : day === today() ? 'today' : 'planned'
  const words = formatRelativeDate(day)
  const text =
    state !== 'overdue' ? words : words === 'yesterday' ? '1 day overdue' : words.replace(/ago$/, 'overdue')
  return (
    <time className={`due due-${state}`} dateTime={day} title={formatDate(day)}>
      {text}
    </time>
  )
}
