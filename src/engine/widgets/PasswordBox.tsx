import { Button, InputGroup, type InputGroupProps } from '@blueprintjs/core'
import { useState } from 'react'

interface Props extends InputGroupProps {
  /** What is shown, for the name of the button that shows it. */
  what: string
  /** Whether browsers fill in the one they keep, or offer to make one up. */
  autoComplete: 'current-password' | 'new-password'
}

/** A box for a password that can be shown; it may be pasted and filled by a password manager. */
export function PasswordBox({ what, ...box }: Props) {
  const [shown, setShown] = useState(false)
  return (
    <InputGroup
      {...box}
      type={shown ? 'text' : 'password'}
      autoCapitalize="none"
      spellCheck={false}
      rightElement={
        <Button
          variant="minimal"
          icon={shown ? 'eye-off' : 'eye-open'}
          aria-label={`Show ${what}`}
          aria-pressed={shown}
          onClick={() => setShown(!shown)}
        />
      }
    />
  )
}
