import { Button } from '@blueprintjs/core'
import { type FormEvent, useEffect, useId, useRef, useState } from 'react'
import { createPortal } from 'react-dom'
import { makeCall } from '../../engine/core/calls.ts'
import { useContract } from '../../engine/core/contract.ts'
import { isUnanswered } from '../../engine/core/http.ts'
import { MESSAGES } from '../core/messages.ts'
import { onProof, type Question } from '../core/stepUp.ts'
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
  const heading = useId()
  useEffect(() => {
    const before = document.activeElement
    dialog.current?.showModal?.()
    password.current?.focus()
    return () => (before as HTMLElement | null)?.focus?.()
  }, [])
  useEffect(() => onProof(() => settle(true)), [settle])

  const submit = async (event: FormEvent) => {
    event.preventDefault()
    if (busy) return
    const body = { password: password.current!.value }
    if (!body.password) return fail(MESSAGES.emptyPassword)
    setBusy(true)
    try {
      await makeCall(contract, 'passwords.confirm', { body })
      settle(true)
    } catch (reason) {
      fail(
        refusalText(refusalOf(reason), 'password') ?? (isUnanswered(reason) ? MESSAGES.offline : undefined),
      )
    }
  }
  const fail = (text: string | undefined) => {
    setBusy(false)
    setError(text)
    password.current?.focus()
    password.current?.select()
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
        {!ways.password && ways.providers.length === 0 && <p>{MESSAGES.noProof}</p>}
        <p>
          <Button variant="minimal" text="Cancel" onClick={() => settle(false)} />
        </p>
      </div>
    </dialog>,
    document.body,
  )
}
