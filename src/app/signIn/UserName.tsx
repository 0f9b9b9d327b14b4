import { InputGroup } from '@blueprintjs/core'
import type { RefObject } from 'react'

/** A user name input outside of the engine's forms. */
export function UserName(props: {
  inputRef: RefObject<HTMLInputElement | null>
  describedBy?: string
  isWrong?: boolean
}) {
  return (
    <>
      <label htmlFor="username">User name</label>
      <InputGroup
        id="username"
        name="username"
        inputRef={props.inputRef}
        autoComplete="username"
        autoCapitalize="none"
        spellCheck={false}
        maxLength={150}
        size="large"
        aria-invalid={props.isWrong || undefined}
        aria-describedby={props.describedBy}
      />
    </>
  )
}
