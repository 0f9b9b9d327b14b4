import type { FocusEvent } from 'react'
import { momentAt, wallTimeOf } from '../runtime/timeZone.ts'
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

/** The ISO moment, with zone, of what the clock shows where the service works. */
function momentOf(local: string): string | undefined {
  return local ? momentAt(local).toISOString() : undefined
}

/** A moment as the clock shows it where the service works, for the native control. */
function localOf(value: unknown): string {
  const date = new Date(String(value))
  return typeof value !== 'string' || Number.isNaN(date.getTime()) ? '' : wallTimeOf(date)
}
