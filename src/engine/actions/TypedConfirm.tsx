import { Button, DialogBody, DialogFooter, InputGroup } from '@blueprintjs/core'
import { type FormEvent, useId, useRef, useState } from 'react'
import type { Action } from '../../contract/generated.ts'
import type { Values } from '../../contract/when.ts'
import { Dialog } from '../page/Dialog.tsx'
import { fillTemplate } from '../runtime/fillTemplate.ts'

/** Asks an action's question and for a text to be typed, so that what cannot be undone is not done in passing. */
export default function TypedConfirm({
  action,
  record = {},
  about,
  busy,
  onClose,
  onYes,
}: {
  action: Action
  record?: Values
  /** Which row it is about, where the page shows several. */
  about?: string
  busy: boolean
  onClose: () => void
  onYes: () => void
}) {
  const id = useId()
  const box = useRef<HTMLInputElement>(null)
  const [typed, setTyped] = useState('')
  const expected = fillTemplate(action.typed ?? '', record)
  const matches = tidy(typed) === tidy(expected)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (matches && !busy) onYes()
  }
  return (
    <Dialog
      isOpen
      className="dialog"
      role="alertdialog"
      title={about ? `${action.label} ${about}` : action.label}
      isCloseButtonShown={false}
      aria-describedby={`${id}-question`}
      onClose={onClose}
      onOpened={() => box.current?.focus()}
    >
      <form onSubmit={submit} noValidate>
        <DialogBody>
          <p id={`${id}-question`}>{fillTemplate(action.confirm ?? '', record)}</p>
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
                text={action.label}
                disabled={!matches}
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
