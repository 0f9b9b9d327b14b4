import { Button, Dialog, DialogBody, DialogFooter } from '@blueprintjs/core'
import { useMemo, useRef } from 'react'
import { groupOf } from '../../contract/entity.ts'
import type { Action } from '../../contract/types.ts'
import type { Values } from '../../contract/when.ts'
import { useContract } from '../contract.ts'
import { fieldErrors } from '../fieldErrors.ts'
import { type FormHandle, FormView } from '../form/FormView.tsx'
import { defaultsFor } from '../form/sections.ts'
import { useUser } from '../user.ts'

/** Asks for the body of an action's call; stays open, with the server's messages at the fields, until that is good. */
export default function FormDialog({
  action,
  record,
  busy,
  act,
  onClose,
}: {
  action: Action
  record?: Values
  busy: boolean
  act: (answers: Values) => Promise<void>
  onClose: () => void
}) {
  const { bodies } = useContract()
  const user = useUser()
  const form = useRef<FormHandle>(null)
  const box = useRef<HTMLDivElement>(null)
  const sections = useMemo(() => {
    // The dialog's own heading says what this is.
    return [{ key: 'body', at: '', groups: [{ ...groupOf(bodies[action.form!]), label: '' }] }]
  }, [bodies, action.form])
  const initial = useMemo(() => defaultsFor(sections), [sections])
  const scope = useMemo(() => ({ record, user }), [record, user])
  const submit = async () => {
    const handle = form.current
    if (!handle || Object.keys(handle.submit()).length > 0) return
    await act(handle.document()).then(onClose, (error: unknown) => {
      const fields = fieldErrors(error)
      if (fields) handle.showErrors(fields)
    })
  }
  return (
    <Dialog
      isOpen
      className="dialog"
      title={action.label}
      canOutsideClickClose={false}
      isCloseButtonShown={false}
      onClose={onClose}
      onOpened={() => box.current?.querySelector<HTMLElement>('input, select, textarea, button')?.focus()}
    >
      <DialogBody>
        <div ref={box}>
          <FormView ref={form} sections={sections} initial={initial} scope={scope} />
        </div>
      </DialogBody>
      <DialogFooter
        actions={
          <>
            <Button text="Cancel" onClick={onClose} />
            <Button
              intent={action.danger ? 'danger' : 'primary'}
              text={action.label}
              loading={busy}
              aria-busy={busy}
              onClick={() => void submit()}
            />
          </>
        }
      />
    </Dialog>
  )
}
