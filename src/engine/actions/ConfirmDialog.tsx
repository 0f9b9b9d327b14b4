import { Button, DialogBody, DialogFooter } from '@blueprintjs/core'
import { useId, useRef, useState } from 'react'
import type { Action } from '../../contract/generated.ts'
import type { Values } from '../../contract/when.ts'
import { Dialog } from '../core/Dialog.tsx'
import { fillTemplate } from '../core/fillTemplate.ts'
import { WaitingNote } from '../core/WaitingNote.tsx'
import type { WaitingSave } from '../core/waitingSaves.ts'
import { confirmTexts } from './confirmTexts.ts'
import { MissingItems } from './MissingItems.tsx'

/** The confirmation of an action, with the focus on Cancel. It can be confirmed once the action's check has loaded. */
export default function ConfirmDialog({
  action,
  record = {},
  params,
  about,
  busy,
  waiting,
  onClose,
  onYes,
}: {
  action: Action
  record?: Values
  params?: Values
  /** Name of the row, if the page has several. */
  about?: string
  busy: boolean
  /** The call, if it waits for the connection. */
  waiting?: WaitingSave
  onClose: () => void
  onYes: () => void
}) {
  const text = useId()
  const cancel = useRef<HTMLButtonElement>(null)
  const [isChecked, setChecked] = useState(!action.check)
  const { title, button } = confirmTexts(action, record, about)
  return (
    <Dialog
      className="dialog"
      role="alertdialog"
      title={title}
      isCloseButtonShown={false}
      aria-describedby={text}
      isOpen
      onClose={onClose}
      onOpened={() => cancel.current?.focus()}
    >
      <DialogBody>
        <p id={text}>{fillTemplate(action.confirm ?? '', record)}</p>
        <WaitingNote save={waiting} />
        {action.check && <MissingItems {...{ action, record, params }} onChecked={setChecked} />}
      </DialogBody>
      <DialogFooter
        actions={
          <>
            <Button ref={cancel} text="Cancel" onClick={onClose} />
            <Button
              intent={action.danger ? 'danger' : 'primary'}
              text={button}
              loading={busy || !isChecked}
              aria-busy={busy || !isChecked}
              // Ignore the second click of a double click.
              onClick={({ detail }) => detail <= 1 && onYes()}
            />
          </>
        }
      />
    </Dialog>
  )
}
