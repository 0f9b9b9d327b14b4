import { Button, InputGroup, type InputGroupProps } from '@blueprintjs/core'
import { useState } from 'react'
import { describeStrength } from '../../../contract/passwordStrength.ts'

interface Props extends InputGroupProps {
  /** Name of the password, for the label of the show button. */
  what: string
  /** Lets the password manager fill in a saved password, or generate a new one. */
  autoComplete: 'current-password' | 'new-password'
}

/** A password input with a show button; pasting and password managers work. A new password's strength is said in words. */
export function PasswordBox({ what, ...box }: Props) {
  const [isRevealed, setRevealed] = useState(false)
  const [typed, setTyped] = useState('')
  const input = (
    <InputGroup
      {...box}
      onInput={({ currentTarget }) => setTyped(currentTarget.value)}
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
  if (box.autoComplete !== 'new-password') return input
  return (
    <>
      {input}
      <p className="hint" role="status">
        {typed && describeStrength(typed)}
      </p>
    </>
  )
}
