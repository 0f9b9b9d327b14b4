import type { FocusEvent } from 'react'
import { type AskProps, controlProps, inputClass } from './ask.ts'

const UNFINISHED = 'unfinished'

export function DateTime(ask: AskProps) {
  const { id, value, onChange, onBlur } = ask
  const leave = ({ target }: FocusEvent<HTMLInputElement>) => {
    if (target.validity.badInput) onChange(UNFINISHED)
    onBlur(id, value)
  }
  return (
    <input
      type="datetime-local"
      max="9999-12-31T23:59"
      className={inputClass(ask)}
      {...controlProps(ask)}
      value={localOf(value)}
      onChange={(event) => onChange(momentOf(event.target.value))}
      onBlur={leave}
    />
  )
}

/** The ISO moment, with zone, of a time on this device's clock. */
function momentOf(local: string): string | undefined {
  return local ? new Date(local).toISOString() : undefined
}

/** A moment as this device's clock shows it, for the native control. */
function localOf(value: unknown): string {
  const date = new Date(String(value))
  if (typeof value !== 'string' || Number.isNaN(date.getTime())) return ''
  return new Date(date.getTime() - date.getTimezoneOffset() * 60_000).toISOString().slice(0, 16)
}
