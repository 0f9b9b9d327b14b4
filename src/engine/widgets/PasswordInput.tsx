import { Button, InputGroup } from '@blueprintjs/core'
import { useState } from 'react'
import { type AskProps, controlProps } from './ask.ts'
import { PLAIN, type TextForm, useHeldText } from './heldText.ts'

/** A space at an end belongs to it. */
const PASSWORD: TextForm = { ...PLAIN, read: (text) => text || undefined }

interface Props {
  ask: AskProps
  /** Whether browsers fill in the one they keep, or offer to make one up. */
  autoComplete: 'current-password' | 'new-password'
}

/** A password that can be shown; it may be pasted and filled by a password manager. */
export function PasswordInput({ ask, autoComplete }: Props) {
  const [shown, setShown] = useState(false)
  const { value, onChange, onKeyDown, onBlur } = useHeldText(ask, PASSWORD)
  return (
    <InputGroup
      {...controlProps(ask)}
      className="field-password"
      intent={ask.rawErrors?.length ? 'danger' : 'none'}
      type={shown ? 'text' : 'password'}
      autoComplete={autoComplete}
      autoCapitalize="none"
      spellCheck={false}
      value={value}
      onChange={onChange}
      onKeyDown={onKeyDown}
      onBlur={onBlur}
      rightElement={
        <Button
          variant="minimal"
          icon={shown ? 'eye-off' : 'eye-open'}
          aria-label={`Show ${ask.label.toLowerCase()}`}
          aria-pressed={shown}
          onClick={() => setShown(!shown)}
        />
      }
    />
  )
}
