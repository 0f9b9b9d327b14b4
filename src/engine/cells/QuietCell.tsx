import { daysBetween } from '../../contract/days.ts'
import { formatDate } from '../core/dates.ts'
import { dayOf } from '../core/timeZone.ts'
import type { CellProps } from './cell.ts'
import { tagClass } from './tagClass.ts'

/** Number of days without contact after which somebody should get in touch. */
const LONG = 28

/** The days since a date, such as that of the last contact: '34 days quiet'; the date itself is the title. */
export function QuietCell({ value }: CellProps) {
  if (!value) return null
  const day = String(value).slice(0, 10)
  const days = daysBetween(day, dayOf(new Date()))
  if (!(days > 0)) return null
  return (
    <time className={tagClass(days >= LONG ? 'amber' : 'grey')} dateTime={day} title={formatDate(day)}>
      {days === 1 ? '1 day' : `${days} days`} quiet
    </time>
  )
}
