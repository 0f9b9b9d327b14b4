import type { Ref } from 'react'
import { PasswordBox } from '../../engine/form/widgets/PasswordBox.tsx'

interface Props {
  id: string
  inputRef?: Ref<HTMLInputElement>
  autoComplete: 'current-password' | 'new-password'
  describedBy?: string
  isWrong?: boolean
}

/** A password input outside of the engine's forms. */
export function Password({ id, inputRef, autoComplete, describedBy, isWrong }: Props) {
  return (
    <PasswordBox
      what="password"
      id={id}
      name={id}
      inputRef={inputRef}
      autoComplete={autoComplete}
      maxLength={128}
      size="large"
      aria-invalid={isWrong || undefined}
      aria-describedby={describedBy}
    />
  )
}
