import { type AskProps, controlProps } from './ask.ts'
import { PLAIN_TEXT, type TextFormat, useDebouncedText } from './heldText.ts'
import { PasswordBox } from './PasswordBox.tsx'

/** A space at an end belongs to it. */
const PASSWORD: TextFormat = { ...PLAIN_TEXT, parse: (text) => text || undefined }

interface Props {
  ask: AskProps
  autoComplete: 'current-password' | 'new-password'
}

/** A password of a form, held until it is left. */
export function PasswordInput({ ask, autoComplete }: Props) {
  const { value, onChange, onKeyDown, onBlur } = useDebouncedText(ask, PASSWORD)
  return (
    <PasswordBox
      {...controlProps(ask)}
      what={ask.label.toLowerCase()}
      className="field-password"
      intent={ask.rawErrors?.length ? 'danger' : 'none'}
      autoComplete={autoComplete}
      value={value}
      onChange={onChange}
      onKeyDown={onKeyDown}
      onBlur={onBlur}
    />
  )
}
