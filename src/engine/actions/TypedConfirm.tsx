import { Button, DialogBody, DialogFooter, InputGroup } from '@blueprintjs/core'
import { type FormEvent, useId, useRef, useState } from 'react'
import type { Action } from '../../contract/generated.ts'
import type { Values } from '../../contract/when.ts'
import { Dialog } from '../core/Dialog.tsx'
import { fillTemplate } from '../core/fillTemplate.ts'
import { WaitingNote } from '../core/WaitingNote.tsx'
import type { WaitingSave } from '../core/waitingSaves.ts'
import { confirmTexts } from './confirmTexts.ts'
import { MissingItems } from './MissingItems.tsx'

/** A confirmation that requires typing a text, for actions that cannot be undone. */
export default function TypedConfirm({
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
  const id = useId()
  const box = useRef<HTMLInputElement>(null)
  const [typed, setTyped] = useState('')
  const expected = fillTemplate(action.typed ?? '', record)
  const matches = tidy(typed) === tidy(expected)
  const [isChecked, setChecked] = useState(!action.check)
  const { title, button } = confirmTexts(action, record, about)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (matches && isChecked && !busy) onYes()
  }
  return (
    <Dialog
      isOpen
      className="dialog"
      role="alertdialog"
      title={title}
      isCloseButtonShown={false}
      aria-describedby={`${id}-question`}
      onClose={onClose}
      onOpened={() => box.current?.focus()}
    >
      <form onSubmit={submit} noValidate>
        <DialogBody>
          <p id={`${id}-question`}>{fillTemplate(action.confirm ?? '', record)}</p>
          <WaitingNote save={waiting} />
          {action.check && <MissingItems {...{ action, record, params }} onChecked={setChecked} />}
          <label htmlFor={id}>
            Type <strong>{expected}</strong> to go on
          </label>
          <InputGroup
            id={id}
            inputRef={box}
            autoComplete="off"
            spellCheck={false}
            value={typed}
            onValueChange={setTyped}
          />
        </DialogBody>
        <DialogFooter
          actions={
            <>
              <Button text="Cancel" onClick={onClose} />
              <Button
                type="submit"
                intent={action.danger ? 'danger' : 'primary'}
                text={button}
                disabled={!matches || !isChecked}
                loading={busy}
                aria-busy={busy}
              />
            </>
          }
        />
      </form>
    </Dialog>
  )
}

const tidy = (text: string) => text.trim().replaceAll(/\s+/g, ' ').toLowerCase()
