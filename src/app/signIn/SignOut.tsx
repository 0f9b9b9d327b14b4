import { Button, DialogBody, DialogFooter } from '@blueprintjs/core'
import { type ReactNode, useRef, useState } from 'react'
import { useContract } from '../../engine/core/contract.ts'
import { Dialog } from '../../engine/core/Dialog.tsx'
import { discard, draftInProgress, inProgress } from '../../engine/form/drafts/inProgress.ts'
import { MESSAGES } from '../core/messages.ts'
import { signOut } from '../core/session.ts'

/** The button that signs out after a confirmation, and discards an unfinished new record. */
export function SignOut({ children }: { children: ReactNode }) {
  const contract = useContract()
  const [open, setOpen] = useState(false)
  const [busy, setBusy] = useState(false)
  const no = useRef<HTMLButtonElement>(null)
  const close = () => setOpen(false)
  const leave = async () => {
    setBusy(true)
    // A failure must not prevent signing out; the draft expires on the server.
    if (inProgress()) await discard().catch(() => undefined)
    await signOut(contract)
  }
  return (
    <>
      <button type="button" aria-haspopup="dialog" onClick={() => setOpen(true)}>
        {children}
      </button>
      <Dialog
        isOpen={open}
        onClose={close}
        onOpened={() => no.current?.focus()}
        title={MESSAGES.signOut}
        role="alertdialog"
        isCloseButtonShown={false}
        aria-describedby="sign-out-loses"
      >
        {open && inProgress() && (
          <DialogBody>
            <p id="sign-out-loses">{losesWhat()}</p>
          </DialogBody>
        )}
        <DialogFooter
          minimal
          actions={
            <>
              <Button text="No" ref={no} onClick={close} />
              <Button text="Yes" intent="primary" loading={busy} onClick={leave} />
            </>
          }
        />
      </Dialog>
    </>
  )
}

function losesWhat(): string {
  const kind = draftInProgress()
  return kind === 'case' ? MESSAGES.losesCase : MESSAGES.loses(kind)
}
