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
  const [isRevealed, setRevealed] = useState(false)
  return (
    <InputGroup
      {...box}
      type={isRevealed ? 'text' : 'password'}
      autoCapitalize="none"
      spellCheck={false}
      rightElement={
        <Button
          variant="minimal"
          icon={isRevealed ? 'eye-off' : 'eye-open'}
          aria-label={`Show ${what}`}
          aria-pressed={isRevealed}
          onClick={() => setRevealed(!isRevealed)}
        />
      }
    />
  )
}
