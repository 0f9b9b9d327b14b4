import type { InputHTMLAttributes } from 'react'
import { type AskProps, controlProps, inputClass } from './ask.ts'
import { PLAIN_TEXT, type TextFormat, useDebouncedText } from './heldText.ts'

interface Props {
  ask: AskProps
  format?: TextFormat
  input?: InputHTMLAttributes<HTMLInputElement>
}

/** One line of text that is held until it is left. */
export function TextInput({ ask, format = PLAIN_TEXT, input }: Props) {
  const { value, onChange, onKeyDown, onBlur } = useDebouncedText(ask, format)
  return (
    <input
      type="text"
      className={inputClass(ask)}
      {...controlProps(ask)}
      {...input}
      value={value}
      onChange={onChange}
      onKeyDown={onKeyDown}
      onBlur={onBlur}
    />
  )
}
