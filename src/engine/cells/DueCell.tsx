import { daysBetween, midnightOf } from '../../contract/days.ts'
import { pluralise } from '../../contract/pluralise.ts'
import { formatDate } from '../core/dates.ts'
import { dayOf } from '../core/timeZone.ts'
import type { CellProps } from './cell.ts'
import { type Colour, tagClass } from './tagClass.ts'

/**
 * A due date in words, such as 'Tomorrow' or '25 days overdue', coloured by urgency; the date itself is the title. A row
 * with a `deadline_state` has the words and colours of that state.
 */
export function DueCell({ value, row }: CellProps) {
  if (!value) return null
  const day = String(value).slice(0, 10)
  const today = dayOf(new Date())
  const { words, colour } = row.deadline_state ? deadlineWords(row, day, today) : dueWords(day, today)
  return (
    <time className={tagClass(colour)} dateTime={day} title={formatDate(day)}>
      {words}
    </time>
  )
}

/** '9 days late', 'Tomorrow', 'Met' or 'Paused', and the colour of its tag: amber from its warning. */
export function deadlineWords(
  row: CellProps['row'],
  day: string,
  today: string,
): { words: string; colour: Colour } {
  const { deadline_state: state, paused_since, is_in_time } = row
  if (state === 'met')
    return is_in_time === false ? { words: 'Met late', colour: 'grey' } : { words: 'Met', colour: 'green' }
  if (state === 'excused') return { words: 'Excused', colour: 'grey' }
  if (state === 'missed') return { words: 'Missed', colour: 'red' }
  if (paused_since) return { words: 'Paused', colour: 'grey' }
  if (state === 'late') return { words: `${age(daysBetween(day, today))} late`, colour: 'red' }
  return { words: dueWords(day, today).words, colour: state === 'soon' ? 'amber' : 'blue' }
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
