import { Button } from '@blueprintjs/core'
import { type FormEvent, type RefObject, useEffect, useId, useRef, useState } from 'react'
import { createPortal } from 'react-dom'
import { makeCall } from '../../engine/core/calls.ts'
import { useContract } from '../../engine/core/contract.ts'
import { isUnanswered } from '../../engine/core/http.ts'
import { MESSAGES } from '../core/messages.ts'
import { onProof, type Question } from '../core/stepUp.ts'
import { CodeField } from './CodeField.tsx'
import { openSignOn } from './openSignOn.ts'
import { Password } from './Password.tsx'
import { refusalOf, refusalText } from './refusal.ts'

/** Asks the person to prove who they are. It is modal over other dialogs, whose input stays as it is. */
export default function StepUpDialog({ question }: { question: Question }) {
  const { ways, settle } = question
  const contract = useContract()
  const [error, setError] = useState<string>()
  const [busy, setBusy] = useState(false)
  const dialog = useRef<HTMLDialogElement>(null)
  const password = useRef<HTMLInputElement>(null)
  const code = useRef<HTMLInputElement>(null)
  const heading = useId()
  useEffect(() => {
    const before = document.activeElement
    dialog.current?.showModal?.()
    password.current?.focus()
    return () => (before as HTMLElement | null)?.focus?.()
  }, [])
  useEffect(() => onProof(() => settle(true)), [settle])

  const submit = (event: FormEvent) => prove(event, 'passwords.confirm', 'password', password)
  const submitCode = (event: FormEvent) => prove(event, 'secondFactor.prove', 'code', code)
  const prove = async (
    event: FormEvent,
    call: string,
    name: string,
    input: RefObject<HTMLInputElement | null>,
  ) => {
    event.preventDefault()
    if (busy) return
    const fail = (text: string | undefined) => {
      setBusy(false)
      setError(text)
      input.current?.focus()
      input.current?.select()
    }
    const value = input.current!.value
    if (!value) return fail(name === 'code' ? MESSAGES.emptyCode : MESSAGES.emptyPassword)
    setBusy(true)
    try {
      await makeCall(contract, call, { body: { [name]: value } })
      settle(true)
    } catch (reason) {
      fail(refusalText(refusalOf(reason), name) ?? (isUnanswered(reason) ? MESSAGES.offline : undefined))
    }
  }
  const askProvider = (id: string) => {
    if (!openSignOn(id, '?for=confirm')) setError(MESSAGES.noWindow)
  }
  return createPortal(
    <dialog
      ref={dialog}
      className="step-up"
      aria-labelledby={heading}
      onCancel={(event) => {
        event.preventDefault()
        settle(false)
      }}
    >
      <div className="front">
        <h1 id={heading}>Confirm that it is you</h1>
        <p>{MESSAGES.whyProof}</p>
        <p id="step-up-error" className="field-error" role="alert">
          {error}
        </p>
        {ways.providers.map(({ id, name }) => (
          <Button
            key={id}
            className="sign-on"
            intent="primary"
            size="large"
            fill
            text={`Confirm with ${name}`}
            onClick={() => askProvider(id)}
          />
        ))}
        {ways.password && (
          <form noValidate onSubmit={submit}>
            <label htmlFor="step-up-password">Password</label>
            <Password
              id="step-up-password"
              inputRef={password}
              autoComplete="current-password"
              isWrong={error !== undefined}
              describedBy={error && 'step-up-error'}
            />
            <Button type="submit" intent="primary" size="large" fill text="Confirm" loading={busy} />
          </form>
        )}
        {ways.authenticator && (
          <form noValidate onSubmit={submitCode}>
            <CodeField inputRef={code} />
            <Button type="submit" size="large" fill text="Confirm with the code" loading={busy} />
          </form>
        )}
        {!ways.password && !ways.authenticator && ways.providers.length === 0 && <p>{MESSAGES.noProof}</p>}
        <p>
          <Button variant="minimal" text="Cancel" onClick={() => settle(false)} />
        </p>
      </div>
    </dialog>,
    document.body,
  )
}
