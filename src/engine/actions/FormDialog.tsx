import { Button, Callout, DialogBody, DialogFooter } from '@blueprintjs/core'
import { type KeyboardEvent, type MouseEvent, useRef, useState } from 'react'
import type { Action } from '../../contract/generated.ts'
import type { Values } from '../../contract/when.ts'
import { Busy } from '../core/Busy.tsx'
import { useRead } from '../core/calls.ts'
import { useContract } from '../core/contract.ts'
import { Dialog, useReturnFocus } from '../core/Dialog.tsx'
import { ErrorCard } from '../core/ErrorCard.tsx'
import { WaitingNote } from '../core/WaitingNote.tsx'
import type { WaitingSave } from '../core/waitingSaves.ts'
import { Question, UNSAVED } from '../form/drafts/UnsavedGuard.tsx'
import { CONTROLS } from '../form/ErrorSummary.tsx'
import { type FormHandle, FormView } from '../form/FormView.tsx'
import { firstControl } from '../form/firstControl.ts'
import { MissingItems } from './MissingItems.tsx'
import { actionParams } from './useAction.ts'
import { type LoadedFields, useActionForm } from './useActionForm.ts'

interface Props {
  action: Action
  record?: Values
  params: Values
  /** Name of the row, if the page has several. */
  about?: string
  busy: boolean
  act: (answers: Values, showsFields?: true) => Promise<void>
  waiting: WaitingSave | undefined
  /** Text before the form. */
  intro?: string
  /** Called once the call has succeeded. */
  onDone: () => void
  onClose: () => void
}

/** A dialog with the form of an action, whose fields `formCall` returns if the action has one. */
export default function FormDialog(props: Props) {
  return props.action.formCall ? <LoadedForm {...props} /> : <DialogForm {...props} />
}

/** The form of the fields that `formCall` returns. */
function LoadedForm(props: Props) {
  const { action, record, params, onClose } = props
  const call = action.formCall!
  const options = { params: actionParams(useContract(), call, { action, record, params }) }
  const { data, error, refetch } = useRead<LoadedFields>(call, options, { alwaysRefetch: true })
  // The dialog of the form follows the one below, so neither knows which button opened them.
  useReturnFocus(true)
  // The title contains the name in the reply instead of `about`.
  if (data) return <DialogForm {...props} loaded={data} about={undefined} />
  return (
    <Dialog isOpen className="dialog" title={action.label} onClose={onClose}>
      <DialogBody>
        {error ? <ErrorCard error={error} onRetry={() => void refetch()} /> : <Busy lines={2} />}
      </DialogBody>
    </Dialog>
  )
}

/** The dialog stays open, with the server's errors at the fields, until the call succeeds. */
function DialogForm({
  action,
  loaded,
  record,
  about,
  busy,
  act,
  waiting,
  intro,
  onDone,
  onClose,
}: Props & { loaded?: LoadedFields }) {
  const form = useRef<FormHandle>(null)
  const box = useRef<HTMLDivElement>(null)
  const [isLeaving, setLeaving] = useState(false)
  const actionForm = useActionForm({ action, loaded, record, form, act, onDone })
  const focusFirst = () => {
    // Keep the focus if the person already moved it inside the dialog.
    if (box.current?.contains(document.activeElement)) return
    firstControl(box.current, CONTROLS)?.focus()
  }
  const close = () => (form.current?.isDirty() || waiting ? setLeaving(true) : onClose())
  return (
    <Dialog
      isOpen
      className="dialog"
      title={about && !action.title ? `${actionForm.title} ${about}` : actionForm.title}
      canOutsideClickClose={false}
      isCloseButtonShown={false}
      onClose={close}
      onOpened={focusFirst}
    >
      <DialogBody>
        {intro && <p>{intro}</p>}
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
        <WaitingNote save={waiting} />
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

/** Types of single-line inputs in which Enter has no other effect. */
const ONE_LINE = new Set(['text', 'password', 'tel', 'email', 'url', 'number', 'date', 'datetime-local'])

/** True for Enter in a single-line input. On a choice, Enter could submit before an option is selected. */
function isSubmitKey({ key, target, nativeEvent }: KeyboardEvent): boolean {
  if (key !== 'Enter' || nativeEvent.isComposing || nativeEvent.defaultPrevented) return false
  return target instanceof HTMLInputElement && ONE_LINE.has(target.type)
}
