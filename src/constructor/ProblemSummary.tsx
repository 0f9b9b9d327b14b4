import { type ReactElement, useEffect, useId, useRef } from 'react'
import type { Found } from './found.ts'

interface Props {
  problems: Found[]
  /** Another number is another try to save. */
  number: number
  onGo: (problem: Found) => void
  labelOf: (problem: Found) => string | undefined
}

/** Everything that keeps the forms from being saved, with the way to each; takes the focus at every try. */
export function ProblemSummary({ problems, number, onGo, labelOf }: Props): ReactElement {
  const box = useRef<HTMLDivElement>(null)
  const heading = useId()
  useEffect(() => box.current?.focus(), [number])
  return (
    <div className="error-summary" ref={box} tabIndex={-1} role="alert" aria-labelledby={heading}>
      <h2 id={heading}>There is a problem</h2>
      <ul>
        {problems.map((problem) => (
          <li key={`${problem.meta} ${problem.address.join('.')} ${problem.at} ${problem.message}`}>
            {problem.address.length > 0 ? (
              <button type="button" className="constructor-link" onClick={() => onGo(problem)}>
                {worded(problem, labelOf(problem))}
              </button>
            ) : (
              problem.message
            )}
          </li>
        ))}
      </ul>
    </div>
  )
}

/** The message, with what it is about in front where it does not say so itself. */
function worded({ message }: Found, label: string | undefined): string {
  return !label?.trim() || message.includes(`'${label}'`) ? message : `${label}: ${message}`
}
