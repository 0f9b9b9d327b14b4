import { type ReactElement, useEffect, useId, useRef } from 'react'
import type { EditorError } from './editorErrors.ts'

interface Props {
  errors: EditorError[]
  /** Another number is another try to save. */
  number: number
  onGo: (error: EditorError) => void
  labelOf: (error: EditorError) => string | undefined
}

/** Everything that keeps the forms from being saved, with the way to each; takes the focus at every try. */
export function EditorErrorSummary({ errors, number, onGo, labelOf }: Props): ReactElement {
  const box = useRef<HTMLDivElement>(null)
  const heading = useId()
  useEffect(() => box.current?.focus(), [number])
  return (
    <div className="error-summary" ref={box} tabIndex={-1} role="alert" aria-labelledby={heading}>
      <h2 id={heading}>There is a problem</h2>
      <ul>
        {errors.map((error) => (
          <li key={`${error.meta} ${error.address.join('.')} ${error.at} ${error.message}`}>
            {error.address.length > 0 ? (
              <button type="button" className="constructor-link" onClick={() => onGo(error)}>
                {withLabel(error, labelOf(error))}
              </button>
            ) : (
              error.message
            )}
          </li>
        ))}
      </ul>
    </div>
  )
}

/** The message, with what it is about in front where it does not say so itself. */
function withLabel({ message }: EditorError, label: string | undefined): string {
  return !label?.trim() || message.includes(`'${label}'`) ? message : `${label}: ${message}`
}
