import type { FocusEvent } from 'react'
import { type AskProps, controlProps, inputClass } from './ask.ts'

/** Stands for a date that was begun and not finished: no date, so it is complained of instead of lost. */
const UNFINISHED = 'unfinished'

export function DateInput(ask: AskProps) {
  const { id, value, onChange, onBlur } = ask
  const onFieldBlur = ({ target }: FocusEvent<HTMLInputElement>) => {
    if (target.validity.badInput) onChange(UNFINISHED)
    onBlur(id, value)
  }
  return (
    <input
      type="date"
      max="9999-12-31"
      className={inputClass(ask)}
      {...controlProps(ask)}
      value={typeof value === 'string' && value !== UNFINISHED ? value : ''}
      onChange={(event) => onChange(event.target.value || undefined)}
      onBlur={onFieldBlur}
    />
  )
}
