import type { FocusEvent } from 'react'
import { midnightOf } from '../../../contract/days.ts'
import { controlProps, type FieldWidgetProps, inputClass } from './widgetProps.ts'

/** Stands for a half-typed date: it is not a valid date, so validation reports it instead of dropping it. */
const UNFINISHED = 'unfinished'

export function DateInput(props: FieldWidgetProps) {
  const { id, value, onChange, onBlur } = props
  const onFieldBlur = ({ target }: FocusEvent<HTMLInputElement>) => {
    if (target.validity.badInput) onChange(UNFINISHED)
    onBlur(id, value)
  }
  const day = typeof value === 'string' && value !== UNFINISHED ? value : ''
  return (
    <>
      <input
        type="date"
        max="9999-12-31"
        className={inputClass(props)}
        {...controlProps(props)}
        value={day}
        onChange={(event) => onChange(event.target.value || undefined)}
        onBlur={onFieldBlur}
      />
      <DateInWords day={day} />
    </>
  )
}

const WORDS = new Intl.DateTimeFormat('en-GB', {
  weekday: 'long',
  day: 'numeric',
  month: 'long',
  year: 'numeric',
  timeZone: 'UTC',
})

/** The year has four digits, so that one that was typed with two is seen: 'Saturday 4 June 0050'. */
function wordsOf(date: Date): string {
  return WORDS.formatToParts(date)
    .map(({ type, value }) => (type === 'year' ? value.padStart(4, '0') : value.replace(',', '')))
    .join('')
}

/**
 * A date in words ('Friday 3 April 2026') beside an input that may show 04/03, because browsers use the order of their
 * locale. Hidden from screen readers, which read the input.
 */
export function DateInWords({ day }: { day: string }) {
  const date = midnightOf(day.slice(0, 10))
  if (Number.isNaN(date.getTime())) return null
  return (
    <span className="date-words" aria-hidden>
      {wordsOf(date)}
    </span>
  )
}
