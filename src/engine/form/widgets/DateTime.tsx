import type { FocusEvent } from 'react'
import { momentAt, wallTimeOf } from '../../core/timeZone.ts'
import { DateInWords } from './DateInput.tsx'
import { controlProps, type FieldWidgetProps, inputClass } from './widgetProps.ts'

const UNFINISHED = 'unfinished'

export function DateTime(props: FieldWidgetProps) {
  const { id, value, onChange, onBlur } = props
  const onFieldBlur = ({ target }: FocusEvent<HTMLInputElement>) => {
    if (target.validity.badInput) onChange(UNFINISHED)
    onBlur(id, value)
  }
  const local = localOf(value)
  return (
    <>
      <input
        type="datetime-local"
        max="9999-12-31T23:59"
        className={inputClass(props)}
        {...controlProps(props)}
        value={local}
        onChange={(event) => onChange(momentOf(event.target.value))}
        onBlur={onFieldBlur}
      />
      <DateInWords day={local} />
    </>
  )
}

/** Converts local time in the time zone of the service to ISO format with a zone. */
function momentOf(local: string): string | undefined {
  return local ? momentAt(local).toISOString() : undefined
}

/** Converts an ISO date and time to local time in the time zone of the service, for the native input. */
function localOf(value: unknown): string {
  const date = new Date(String(value))
  return typeof value !== 'string' || Number.isNaN(date.getTime()) ? '' : wallTimeOf(date)
}
