import { useEffect, useId, useRef } from 'react'
import { createPortal } from 'react-dom'
import { useReachable } from '../../engine/core/connection.ts'
import { MESSAGES } from '../core/messages.ts'
import { SignInWays } from './Login.tsx'

/**
 * Covers the page of a person whose session ended while something on it was not saved. Signing in again uncovers it for
 * the same person, and closes it for anybody else.
 */
export function Cover() {
  const dialog = useRef<HTMLDialogElement>(null)
  const heading = useId()
  const isReachable = useReachable()
  useEffect(() => {
    const title = document.title
    document.title = 'Sign in'
    // A modal dialog makes everything else on the page inert, other dialogs included.
    dialog.current?.showModal?.()
    return () => {
      document.title = title
    }
  }, [])
  return createPortal(
    <dialog
      ref={dialog}
      className="cover"
      aria-labelledby={heading}
      onCancel={(event) => event.preventDefault()}
    >
      <div className="front">
        <h1 id={heading}>Sign in again</h1>
        <p className="note">{MESSAGES.covered}</p>
        <p role="status">{isReachable ? '' : MESSAGES.coveredOffline}</p>
        <SignInWays inWindow />
      </div>
    </dialog>,
    document.body,
  )
}
