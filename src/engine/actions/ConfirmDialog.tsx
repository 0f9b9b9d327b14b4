import { Button, DialogBody, DialogFooter } from '@blueprintjs/core'
import { useId, useRef, useState } from 'react'
import type { Action } from '../../contract/generated.ts'
import type { Values } from '../../contract/when.ts'
import { Dialog } from '../page/Dialog.tsx'
import { fillTemplate } from '../runtime/fillTemplate.ts'
import { MissingItems } from './MissingItems.tsx'

/** Asks an action's question; Cancel comes first and has the focus. What speaks against it is seen before Yes can be said. */
export default function ConfirmDialog({
  action,
  record = {},
  params,
  about,
  busy,
  onClose,
  onYes,
}: {
  action: Action
  record?: Values
  params?: Values
  /** Which row it is about, where the page shows several. */
  about?: string
  busy: boolean
  onClose: () => void
  onYes: () => void
}) {
  const text = useId()
  const cancel = useRef<HTMLButtonElement>(null)
  const [isChecked, setChecked] = useState(!action.check)
  return (
    <Dialog
      className="dialog"
      role="alertdialog"
      title={about ? `${action.label} ${about}` : action.label}
      isCloseButtonShown={false}
      aria-describedby={text}
      isOpen
      onClose={onClose}
      onOpened={() => cancel.current?.focus()}
    >
      <DialogBody>
        <p id={text}>{fillTemplate(action.confirm ?? '', record)}</p>
        {action.check && <MissingItems {...{ action, record, params }} onChecked={setChecked} />}
      </DialogBody>
      <DialogFooter
        actions={
          <>
            <Button ref={cancel} text="Cancel" onClick={onClose} />
            <Button
              intent={action.danger ? 'danger' : 'primary'}
              text={action.label}
              loading={busy || !isChecked}
              aria-busy={busy || !isChecked}
              // The second click of a double click is none of its own.
              onClick={({ detail }) => detail <= 1 && onYes()}
            />
          </>
        }
      />
    </Dialog>
  )
}
