import { Button, DialogBody, DialogFooter } from '@blueprintjs/core'
import { useEffect, useId, useRef, useState } from 'react'
import { type Blocker, type BlockerFunction, useBlocker, useLocation, useNavigate } from 'react-router-dom'
import { Dialog } from '../../core/Dialog.tsx'

/** Texts of a confirmation dialog and its two buttons. */
export interface QuestionText {
  title: string
  text: string
  yes: string
  no: string
}

/** Confirmation before unsaved changes are lost. */
export const UNSAVED: QuestionText = {
  title: 'Warning! You have unsaved changes',
  text: 'The added information will be lost.',
  yes: 'Leave',
  no: 'Cancel',
}

interface Props {
  /** True if leaving would lose changes; a function is called on leaving. */
  when: boolean | (() => boolean)
  /** Returns true for paths that belong to the same task; omitted: only the page's own path. */
  stays?: (pathname: string) => boolean
  texts?: QuestionText
  /** Returns true if closing the page would lose changes; omitted: the same as `when`. */
  closing?: () => boolean
  /** Called before leaving, after the person confirmed it. */
  onLeave?: () => Promise<void>
  /** Saves what was typed as a draft, which the question then offers too; rejects if that fails. */
  onKeep?: () => Promise<void>
}

/** Asks for confirmation before unsaved changes are left by a link or by closing the page. */
export function UnsavedGuard({ when, stays, texts = UNSAVED, closing, onLeave, onKeep }: Props) {
  const latest = useRef({ when, stays, closing })
  latest.current = { when, stays, closing }
  const isBlocking = () => {
    const { when } = latest.current
    return typeof when === 'function' ? when() : when
  }
  const blocks: BlockerFunction = ({ currentLocation: from, nextLocation: to }) =>
    !isLeaving.current &&
    from.pathname !== to.pathname &&
    !latest.current.stays?.(to.pathname) &&
    isBlocking()
  const isLeaving = useRef(false)
  const blocker = useBlocker(blocks)
  // The router forgets what it blocked when the page's own address changes, as it does when a draft gets its id.
  const [question, setQuestion] = useState<{ blocked: Blocker & { state: 'blocked' }; isOpen: boolean }>()
  if (blocker.state === 'blocked' && question?.blocked !== blocker)
    setQuestion({ blocked: blocker, isOpen: true })
  const close = () => setQuestion((now) => now && { ...now, isOpen: false })
  const navigate = useNavigate()
  const { pathname } = useLocation()
  // The next page is guarded again.
  useEffect(() => {
    isLeaving.current = false
  }, [pathname])
  useEffect(() => {
    const warn = (event: BeforeUnloadEvent) => {
      const { closing } = latest.current
      if (closing ? closing() : isBlocking()) event.preventDefault()
    }
    window.addEventListener('beforeunload', warn)
    return () => window.removeEventListener('beforeunload', warn)
  })
  useEffect(() => {
    // A save that was running when the person left has succeeded.
    if (question?.isOpen && !isLeaving.current && !isBlocking()) go(question.blocked)
  })
  const go = ({ proceed, location }: Blocker & { state: 'blocked' }) => {
    close()
    try {
      proceed()
    } catch {
      navigate(location)
    }
  }
  const leave = async () => {
    if (!question || isLeaving.current) return
    isLeaving.current = true
    // A failed clean-up must not block leaving.
    await onLeave?.().catch(() => undefined)
    go(question.blocked)
  }
  // Once the draft is saved nothing is unsaved, and the effect above leaves; a failure keeps the question open.
  const keep = () => void onKeep?.().catch(() => undefined)
  return (
    <Question
      isOpen={question?.isOpen === true}
      texts={texts}
      onYes={leave}
      onKeep={onKeep && keep}
      onNo={() => {
        blocker.reset?.()
        close()
      }}
    />
  )
}

interface QuestionProps {
  isOpen: boolean
  texts: QuestionText
  onYes: () => void
  onNo: () => void
  /** Adds a button that saves a draft. */
  onKeep?: () => void
}

/** A confirmation dialog. The safe button comes first, so that a dialog focuses it. */
export function Question({ isOpen, texts, onYes, onNo, onKeep }: QuestionProps) {
  const text = useId()
  return (
    <Dialog
      isOpen={isOpen}
      role="alertdialog"
      title={texts.title}
      aria-describedby={text}
      isCloseButtonShown={false}
      canOutsideClickClose={false}
      onClose={onNo}
    >
      <DialogBody>
        <p id={text}>{texts.text}</p>
      </DialogBody>
      <DialogFooter
        actions={
          <>
            <Button text={texts.no} onClick={onNo} />
            {onKeep && <Button text="Save draft and leave" onClick={onKeep} />}
            <Button intent="danger" text={texts.yes} onClick={onYes} />
          </>
        }
      />
    </Dialog>
  )
}
