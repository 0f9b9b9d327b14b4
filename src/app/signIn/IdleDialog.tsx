import { Button, DialogBody, DialogFooter } from '@blueprintjs/core'
import { useRef } from 'react'
import { Dialog } from '../../engine/core/Dialog.tsx'
import { announcedSeconds } from '../core/idle.ts'

interface Props {
  msLeft: number
  onStay: () => void
  onSignOut: () => void
}

/** The warning before a session expires, with the time left. */
export default function IdleDialog({ msLeft, onStay, onSignOut }: Props) {
  const stay = useRef<HTMLButtonElement>(null)
  return (
    <Dialog
      isOpen
      title="You are about to be signed out"
      role="alertdialog"
      isCloseButtonShown={false}
      canOutsideClickClose={false}
      onClose={onStay}
      onOpened={() => stay.current?.focus()}
    >
      <DialogBody>
        <p aria-hidden="true">{sentence(Math.ceil(msLeft / 1000))}</p>
        <p className="visually-hidden" aria-live="assertive">
          {sentence(announcedSeconds(msLeft))}
        </p>
      </DialogBody>
      <DialogFooter
        minimal
        actions={
          <>
            <Button text="Sign out" onClick={onSignOut} />
            <Button text="Stay signed in" intent="primary" ref={stay} onClick={onStay} />
          </>
        }
      />
    </Dialog>
  )
}

function sentence(seconds: number): string {
  const minutes = Math.floor(seconds / 60)
  const rest = seconds % 60
  const parts = [
    minutes && `${minutes} ${minutes === 1 ? 'minute' : 'minutes'}`,
    rest && `${rest} ${rest === 1 ? 'second' : 'seconds'}`,
  ]
  return `Nothing was done for a while. You will be signed out in ${parts.filter(Boolean).join(' ') || 'a moment'}.`
}
