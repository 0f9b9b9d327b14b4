import { InputGroup } from '@blueprintjs/core'
import { useEffect, useId, useRef } from 'react'

interface Props {
  label: string
  value: string
  /** Set once somebody went on without a reason; another object each time. */
  missing: object | undefined
  onChange: (reason: string) => void
}

/** Asks why a record is new although one that is there is certainly the same. */
export function Because({ label, value, missing, onChange }: Props) {
  const id = useId()
  const input = useRef<HTMLInputElement>(null)
  useEffect(() => {
    if (missing) input.current?.focus()
  }, [missing])
  const isWrong = Boolean(missing) && value.trim() === ''
  return (
    <div className={isWrong ? 'field field-invalid because' : 'field because'}>
      <label htmlFor={id}>{label}</label>
      <InputGroup
        id={id}
        inputRef={input}
        value={value}
        maxLength={300}
        onValueChange={onChange}
        aria-invalid={isWrong || undefined}
        aria-describedby={isWrong ? `${id}-error` : undefined}
      />
      {isWrong && (
        <div className="field-error" id={`${id}-error`}>
          <span className="visually-hidden">Error: </span>Say why, or use the one that is there
        </div>
      )}
    </div>
  )
}
