import type { InputHTMLAttributes } from 'react'
import { type AskProps, controlProps, inputClass } from './ask.ts'
import { PLAIN, type TextForm, useHeldText } from './heldText.ts'

interface Props {
  ask: AskProps
  form?: TextForm
  input?: InputHTMLAttributes<HTMLInputElement>
}

/** One line of text that is held until it is left. */
export function TextInput({ ask, form = PLAIN, input }: Props) {
  const { value, onChange, onKeyDown, onBlur } = useHeldText(ask, form)
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
