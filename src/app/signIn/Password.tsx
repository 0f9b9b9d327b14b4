import type { Ref } from 'react'
import { PasswordBox } from '../../engine/widgets/PasswordBox.tsx'

interface Props {
  id: string
  inputRef: Ref<HTMLInputElement>
  autoComplete: 'current-password' | 'new-password'
  describedBy?: string
}

/** Asks for a password outside of the forms that the engine draws. */
export function Password({ id, inputRef, autoComplete, describedBy }: Props) {
  return (
    <PasswordBox
      what="password"
      id={id}
      name={id}
      inputRef={inputRef}
      autoComplete={autoComplete}
      maxLength={128}
      size="large"
      aria-describedby={describedBy}
    />
  )
}
