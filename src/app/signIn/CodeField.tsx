import { InputGroup } from '@blueprintjs/core'
import type { RefObject } from 'react'

interface Props {
  inputRef: RefObject<HTMLInputElement | null>
  error?: string
}

/** An input for a code of an authenticator app, or a recovery code, with its error. */
export function CodeField({ inputRef, error }: Props) {
  return (
    <>
      <label htmlFor="code">Code</label>
      <p id="code-error" className="field-error" role="alert">
        {error}
      </p>
      <InputGroup
        id="code"
        name="code"
        inputRef={inputRef}
        autoComplete="one-time-code"
        autoCapitalize="none"
        spellCheck={false}
        maxLength={60}
        size="large"
        aria-invalid={error !== undefined || undefined}
        aria-describedby={error && 'code-error'}
      />
    </>
  )
}
