import { Button, InputGroup } from '@blueprintjs/core'
import { type Ref, useState } from 'react'

/** A password that can be shown; it may be pasted and filled by a password manager. */
export function Password({
  id,
  inputRef,
  autoComplete,
  describedBy,
}: {
  id: string
  inputRef: Ref<HTMLInputElement>
  autoComplete: 'current-password' | 'new-password'
  describedBy?: string
}) {
  const [shown, setShown] = useState(false)
  return (
    <InputGroup
      id={id}
      name={id}
      inputRef={inputRef}
      type={shown ? 'text' : 'password'}
      autoComplete={autoComplete}
      autoCapitalize="none"
      spellCheck={false}
      maxLength={128}
      size="large"
      aria-describedby={describedBy}
      rightElement={
        <Button
          variant="minimal"
          icon={shown ? 'eye-off' : 'eye-open'}
          aria-label="Show password"
          aria-pressed={shown}
          onClick={() => setShown(!shown)}
        />
      }
    />
  )
}
