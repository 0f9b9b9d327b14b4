import { Button, Dialog, DialogBody, DialogFooter } from '@blueprintjs/core'
import { type KeyboardEvent, useMemo, useRef } from 'react'
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
  about,
  busy,
  act,
  onClose,
}: {
  action: Action
  record?: Values
  /** Which row it is about, where the page shows several. */
  about?: string
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
      title={about ? `${action.label} ${about}` : action.label}
      canOutsideClickClose={false}
      isCloseButtonShown={false}
      onClose={onClose}
      onOpened={() => box.current?.querySelector<HTMLElement>('input, select, textarea, button')?.focus()}
    >
      <DialogBody>
        {/* biome-ignore lint/a11y/noStaticElementInteractions: hears the keys of the boxes inside */}
        <div ref={box} onKeyDown={(event) => sends(event) && void submit()}>
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

/** Boxes of one line in which Enter does nothing else. */
const ONE_LINE = new Set(['text', 'tel', 'email', 'url', 'number', 'date', 'datetime-local'])

/** Whether a key sends the form: Enter in a box of one line. On a choice it could send what is not yet chosen. */
function sends({ key, target, nativeEvent }: KeyboardEvent): boolean {
  if (key !== 'Enter' || nativeEvent.isComposing || nativeEvent.defaultPrevented) return false
  return target instanceof HTMLInputElement && ONE_LINE.has(target.type)
}
