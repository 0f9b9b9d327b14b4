import { Button, InputGroup, type InputGroupProps } from '@blueprintjs/core'
import { useState } from 'react'

interface Props extends InputGroupProps {
  /** Name of the password, for the label of the show button. */
  what: string
  /** Lets the password manager fill in a saved password, or generate a new one. */
  autoComplete: 'current-password' | 'new-password'
}

/** A password input with a show button; pasting and password managers work. */
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
