import { useEffect, useId, useRef } from 'react'
import { createPortal } from 'react-dom'
import { useReachable } from '../../engine/core/connection.ts'
import { SignInWays } from './Login.tsx'

const COVERED =
  'This page is covered. Sign in again to go on where you were: what you typed is kept on it until you close it.'
const OFFLINE = 'There is no connection now. You can sign in once it is back.'

/**
 * Covers the page of a person whose session ended while something on it was not saved. Signing in again uncovers it for
 * the same person, and closes it for anybody else.
 */
export default function Cover() {
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
        <p className="note">{COVERED}</p>
        <p role="status">{isReachable ? '' : OFFLINE}</p>
        <SignInWays inWindow />
      </div>
    </dialog>,
    document.body,
  )
}
