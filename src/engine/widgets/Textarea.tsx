import { type AskProps, controlProps, inputClass } from './ask.ts'
import { PLAIN, useHeldText } from './heldText.ts'

export function Textarea(ask: AskProps) {
  const { value, onChange, onBlur } = useHeldText(ask, PLAIN)
  return (
    <textarea
      rows={4}
      className={inputClass(ask)}
      {...controlProps(ask)}
      value={value}
      onChange={onChange}
      onBlur={onBlur}
    />
  )
}
