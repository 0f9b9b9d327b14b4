import { type AskProps, controlProps, inputClass } from './ask.ts'
import { PLAIN_TEXT, useDebouncedText } from './heldText.ts'

export function Textarea(ask: AskProps) {
  const { value, onChange, onBlur } = useDebouncedText(ask, PLAIN_TEXT)
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
