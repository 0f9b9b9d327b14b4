import { Button, DialogBody, DialogFooter } from '@blueprintjs/core'
import { useEffect, useId, useRef, useState } from 'react'
import { type Blocker, type BlockerFunction, useBlocker, useLocation, useNavigate } from 'react-router-dom'
import { Dialog } from '../page/Dialog.tsx'

/** What is asked, and the words of both answers. */
export interface QuestionText {
  title: string
  text: string
  yes: string
  no: string
}

/** The question before unsaved changes are lost. */
export const UNSAVED: QuestionText = {
  title: 'Warning! You have unsaved changes',
  text: 'The added information will be lost.',
  yes: 'Leave',
  no: 'Cancel',
}

interface Props {
  /** Whether leaving would lose changes; a function is called at the moment of leaving. */
  when: boolean | (() => boolean)
  /** Whether an address still belongs to what is being done; omitted: only the page's own. */
  stays?: (pathname: string) => boolean
  texts?: QuestionText
  /** Whether closing the page would lose something; omitted: whatever leaving would. */
  closing?: () => boolean
  /** Done before leaving, once the person said so. */
  onLeave?: () => Promise<void>
}

/** Asks before something unsaved is left, by a link or by closing the page. */
export function UnsavedGuard({ when, stays, texts = UNSAVED, closing, onLeave }: Props) {
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
  // Another page is left anew.
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
    // A save that was under way when the person left has ended well.
    if (question?.isOpen && !isLeaving.current && !isBlocking()) go(question.blocked)
  })
  const go = ({ proceed, location }: Blocker & { state: 'blocked' }) => {
    isLeaving.current = true
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
  return (
    <Question
      isOpen={question?.isOpen === true}
      texts={texts}
      onYes={leave}
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
}

/** A question whose safe answer has the focus. */
export function Question({ isOpen, texts, onYes, onNo }: QuestionProps) {
  const no = useRef<HTMLButtonElement>(null)
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
      onOpened={() => no.current?.focus()}
    >
      <DialogBody>
        <p id={text}>{texts.text}</p>
      </DialogBody>
      <DialogFooter
        actions={
          <>
            <Button ref={no} text={texts.no} onClick={onNo} />
            <Button intent="danger" text={texts.yes} onClick={onYes} />
          </>
        }
      />
    </Dialog>
  )
}
