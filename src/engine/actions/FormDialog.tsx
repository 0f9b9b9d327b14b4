import { Button, Callout, DialogBody, DialogFooter } from '@blueprintjs/core'
import { type KeyboardEvent, type MouseEvent, useRef, useState } from 'react'
import type { Action } from '../../contract/generated.ts'
import type { Values } from '../../contract/when.ts'
import { Question, UNSAVED } from '../drafts/UnsavedGuard.tsx'
import { type FormHandle, FormView } from '../form/FormView.tsx'
import { Dialog } from '../page/Dialog.tsx'
import { MissingItems } from './MissingItems.tsx'
import { useActionForm } from './useActionForm.ts'

interface Props {
  action: Action
  record?: Values
  /** Which row it is about, where the page shows several. */
  about?: string
  busy: boolean
  act: (answers: Values) => Promise<void>
  onClose: () => void
}

/** Asks for the body of an action's call; stays open, with the server's messages at the fields, until that is good. */
export default function FormDialog({ action, record, about, busy, act, onClose }: Props) {
  const form = useRef<FormHandle>(null)
  const box = useRef<HTMLDivElement>(null)
  const [isLeaving, setLeaving] = useState(false)
  const actionForm = useActionForm({ action, record, form, act, onDone: onClose })
  const focusFirst = () => {
    // Keep the focus if the person already moved it inside the dialog.
    if (box.current?.contains(document.activeElement)) return
    box.current?.querySelector<HTMLElement>('input, select, textarea, button')?.focus()
  }
  const close = () => (form.current?.isDirty() ? setLeaving(true) : onClose())
  return (
    <Dialog
      isOpen
      className="dialog"
      title={about ? `${actionForm.title} ${about}` : actionForm.title}
      canOutsideClickClose={false}
      isCloseButtonShown={false}
      onClose={close}
      onOpened={focusFirst}
    >
      <DialogBody>
        {action.check && <MissingItems action={action} record={record} />}
        {actionForm.conflictText && (
          <Callout className="form-note" intent="warning" role="alert" compact>
            {actionForm.conflictText}
          </Callout>
        )}
        {/* biome-ignore lint/a11y/noStaticElementInteractions: handles the keys of the inputs inside */}
        <div ref={box} onKeyDown={(event) => isSubmitKey(event) && void actionForm.submit()}>
          <FormView
            ref={form}
            sections={actionForm.sections}
            initial={actionForm.initialValues}
            conditionContext={actionForm.conditionContext}
          />
        </div>
      </DialogBody>
      <DialogFooter
        actions={
          <>
            <Button text="Cancel" onMouseDown={keepFocus} onClick={close} />
            <Button
              intent={action.danger ? 'danger' : 'primary'}
              text={action.label}
              loading={busy}
              aria-busy={busy}
              onMouseDown={keepFocus}
              onClick={() => void actionForm.submit()}
            />
          </>
        }
      />
      <Question isOpen={isLeaving} texts={UNSAVED} onYes={onClose} onNo={() => setLeaving(false)} />
    </Dialog>
  )
}

/**
 * Prevents blur on mousedown: an error message that appears on blur would move the button away from the pointer.
 */
function keepFocus(event: MouseEvent): void {
  event.preventDefault()
}

/** Boxes of one line in which Enter does nothing else. */
const ONE_LINE = new Set(['text', 'password', 'tel', 'email', 'url', 'number', 'date', 'datetime-local'])

/** Whether a key sends the form: Enter in a box of one line. On a choice it could send what is not yet chosen. */
function isSubmitKey({ key, target, nativeEvent }: KeyboardEvent): boolean {
  if (key !== 'Enter' || nativeEvent.isComposing || nativeEvent.defaultPrevented) return false
  return target instanceof HTMLInputElement && ONE_LINE.has(target.type)
}
