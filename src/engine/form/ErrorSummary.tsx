import { type ReactNode, useEffect, useRef } from 'react'
import type { FieldErrors } from '../../contract/validateAnswers.ts'
import { firstControl } from './firstControl.ts'
import { unfold } from './store/folds.ts'

export const CONTROLS = 'input, select, textarea, button'

const PREFIX = 'Error: '

/** All errors of a form with links to the controls; takes the focus when it appears. */
export function ErrorSummary({ errors, idPrefix }: { errors: FieldErrors; idPrefix: string }) {
  const box = useRef<HTMLDivElement>(null)
  const heading = `${idPrefix}-summary`
  useEffect(() => {
    box.current?.focus()
    const title = document.title
    if (!title.startsWith(PREFIX)) document.title = PREFIX + title
    return () => {
      if (document.title.startsWith(PREFIX)) document.title = document.title.slice(PREFIX.length)
    }
  }, [])
  return (
    <div className="error-summary" ref={box} tabIndex={-1} role="alert" aria-labelledby={heading}>
      <h2 id={heading}>There is a problem</h2>
      <ul>
        {Object.entries(errors).map(([path, [message]]) => (
          <li key={path}>
            <SummaryLink id={`${idPrefix}.${path}`} message={message} />
          </li>
        ))}
      </ul>
    </div>
  )
}

/** An error with a link to its control, if that is on the page. */
function SummaryLink({ id, message }: { id: string; message: string }) {
  return document.getElementById(id) ? <FieldLink id={id}>{message}</FieldLink> : message
}

/** Moves the focus to a control by its id, or to the first one of a set of controls; false if there is none. */
export function focusControl(id: string): boolean {
  const found = document.getElementById(id)
  const control = found?.matches(CONTROLS) ? found : firstControl(found, CONTROLS)
  unfold(control)
  control?.scrollIntoView?.({ block: 'center' })
  control?.focus()
  return Boolean(control)
}

/** A link that moves the focus to a control by its id, or to the first one of a set of controls. */
export function FieldLink({ id, children }: { id: string; children: ReactNode }) {
  return (
    <a
      href={`#${id}`}
      onClick={(event) => {
        event.preventDefault()
        focusControl(id)
      }}
    >
      {children}
    </a>
  )
}
