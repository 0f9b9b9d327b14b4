import type { FocusEvent } from 'react'
import { controlProps, type FieldWidgetProps, inputClass } from './widgetProps.ts'

/** Stands for a half-typed date: it is not a valid date, so validation reports it instead of dropping it. */
const UNFINISHED = 'unfinished'

export function DateInput(props: FieldWidgetProps) {
  const { id, value, onChange, onBlur } = props
  const onFieldBlur = ({ target }: FocusEvent<HTMLInputElement>) => {
    if (target.validity.badInput) onChange(UNFINISHED)
    onBlur(id, value)
  }
  return (
    <input
      type="date"
      max="9999-12-31"
      className={inputClass(props)}
      {...controlProps(props)}
      value={typeof value === 'string' && value !== UNFINISHED ? value : ''}
      onChange={(event) => onChange(event.target.value || undefined)}
      onBlur={onFieldBlur}
    />
  )
}
