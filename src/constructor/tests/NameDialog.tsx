import { Button, DialogBody, DialogFooter, InputGroup } from '@blueprintjs/core'
import { type FormEvent, type ReactElement, useId, useRef, useState } from 'react'
import { Dialog } from '../../engine/core/Dialog.tsx'
import { Messages } from '../controls/Messages.tsx'

interface Props {
  title: string
  hint: string
  /** Label of the submit button. */
  text: string
  initial?: string
  /** Names of the others. */
  taken: string[]
  /** What is named, the label and the example of its box, and the most characters. */
  named?: { what: string; label: string; example: string; maxLength?: number }
  onName: (name: string) => void
  onClose: () => void
}

const TEST: NonNullable<Props['named']> = {
  what: 'test',
  label: 'What the test shows',
  example: 'An urgent referral asks why it is urgent',
}

/** Dialog that asks for the name of a test, or of something else. */
export function NameDialog(props: Props): ReactElement {
  const { title, hint, text, initial = '', taken, named = TEST, onName, onClose } = props
  const id = useId()
  const box = useRef<HTMLInputElement>(null)
  const [name, setName] = useState(initial)
  const [message, setMessage] = useState('')
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const problem = !name.trim()
      ? `Give the ${named.what} a name`
      : taken.includes(name.trim())
        ? `Another ${named.what} has this name: choose a different one`
        : ''
    setMessage(problem)
    if (problem) box.current?.focus()
    else onName(name.trim())
  }
  return (
    <Dialog
      isOpen
      className="dialog constructor-dialog"
      title={title}
      onClose={onClose}
      onOpened={() => box.current?.focus()}
    >
      <form noValidate onSubmit={submit}>
        <DialogBody>
          <p>{hint}</p>
          <label htmlFor={id}>{named.label}</label>
          <p className="constructor-hint" id={`${id}-hint`}>
            For example: {named.example}
          </p>
          <InputGroup
            id={id}
            inputRef={box}
            maxLength={named.maxLength ?? 200}
            autoComplete="off"
            aria-describedby={message ? `${id}-hint ${id}-error` : `${id}-hint`}
            aria-invalid={message !== ''}
            value={name}
            onValueChange={setName}
          />
          <Messages id={`${id}-error`} messages={message ? [message] : []} />
        </DialogBody>
        <DialogFooter
          actions={
            <>
              <Button text="Cancel" onClick={onClose} />
              <Button intent="primary" type="submit" text={text} />
            </>
          }
        />
      </form>
    </Dialog>
  )
}
