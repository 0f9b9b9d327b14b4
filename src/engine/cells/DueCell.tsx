import { daysBetween, midnightOf } from '../../contract/days.ts'
import { pluralise } from '../../contract/pluralise.ts'
import { formatDate } from '../core/dates.ts'
import { dayOf } from '../core/timeZone.ts'
import type { CellProps } from './cell.ts'
import { type Colour, tagClass } from './tagClass.ts'

/** A due date in words, such as 'Tomorrow' or '25 days overdue', coloured by urgency; the date itself is the title. */
export function DueCell({ value }: CellProps) {
  if (!value) return null
  const day = String(value).slice(0, 10)
  const { words, colour } = dueWords(day, dayOf(new Date()))
  return (
    <time className={tagClass(colour)} dateTime={day} title={formatDate(day)}>
      {words}
    </time>
  )
}

const WEEKDAY = new Intl.DateTimeFormat('en-GB', { weekday: 'long', timeZone: 'UTC' })
const DAY = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'long', timeZone: 'UTC' })
const DAY_OF_YEAR = new Intl.DateTimeFormat('en-GB', {
  day: 'numeric',
  month: 'short',
  year: 'numeric',
  timeZone: 'UTC',
})

/** '25 days overdue', 'Today', 'Thursday' or '4 December', and the colour of its tag. Days are YYYY-MM-DD. */
export function dueWords(day: string, today: string): { words: string; colour: Colour } {
  const then = midnightOf(day)
  const days = daysBetween(today, day)
  if (days < 0) return { words: `${age(-days)} overdue`, colour: 'red' }
  if (days === 0) return { words: 'Today', colour: 'amber' }
  if (days === 1) return { words: 'Tomorrow', colour: 'blue' }
  if (days < 7) return { words: WEEKDAY.format(then), colour: 'blue' }
  const format = day.slice(0, 4) === today.slice(0, 4) || days < 180 ? DAY : DAY_OF_YEAR
  return { words: format.format(then), colour: 'blue' }
}

/** Days up to two months, then months, from two years on years. */
function age(days: number): string {
  if (days < 60) return pluralise(days, 'day')
  const months = Math.floor(days / 30.44)
  return months < 24 ? pluralise(months, 'month') : pluralise(Math.floor(days / 365.25), 'year')
}
