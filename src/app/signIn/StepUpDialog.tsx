import { Button } from '@blueprintjs/core'
import { type FormEvent, type RefObject, useEffect, useId, useRef, useState } from 'react'
import { makeCall } from '../../engine/core/calls.ts'
import { useContract } from '../../engine/core/contract.ts'
import { isUnanswered } from '../../engine/core/http.ts'
import { MESSAGES } from '../core/messages.ts'
import { CodeField } from './CodeField.tsx'
import { openSignOn } from './openSignOn.ts'
import { Password } from './Password.tsx'
import { passkeyError, usePasskey } from './passkey.ts'
import { onProof } from './proofChannel.ts'
import { PROOF_TEXTS } from './proofTexts.ts'
import { refusalOf, refusalText } from './refusal.ts'
import type { SignOnProvider } from './signOnSettings.ts'

/** The ways in which the signed-in person can prove again who they are. */
export interface ProofWays {
  password: boolean
  /** By a code of their authenticator app. */
  authenticator: boolean
  passkey: boolean
  providers: SignOnProvider[]
}
interface Props {
  ways: ProofWays
  /** Called when the dialog ends, with true if the person has proved who they are. */
  onEnd: (isProved: boolean) => void
}

/** Asks the person to prove who they are. It is modal over other dialogs, whose input stays as it is. */
export function StepUpDialog({ ways, onEnd }: Props) {
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
  useEffect(() => onProof(() => onEnd(true)), [onEnd])

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
    if (!value) return fail(name === 'code' ? PROOF_TEXTS.emptyCode : PROOF_TEXTS.emptyPassword)
    setBusy(true)
    try {
      await makeCall(contract, call, { body: { [name]: value } })
      onEnd(true)
    } catch (reason) {
      fail(refusalText(refusalOf(reason), name) ?? (isUnanswered(reason) ? MESSAGES.offline : undefined))
    }
  }
  const byPasskey = async () => {
    setBusy(true)
    setError(undefined)
    try {
      await usePasskey(contract, { ask: 'passkeys.ask', send: 'passkeys.prove' })
      onEnd(true)
    } catch (reason) {
      setBusy(false)
      setError(passkeyError(reason))
    }
  }
  const askProvider = (id: string) => {
    if (!openSignOn(id, '?for=confirm')) setError(PROOF_TEXTS.noWindow)
  }
  return (
    <dialog
      ref={dialog}
      className="step-up"
      aria-labelledby={heading}
      onCancel={(event) => {
        event.preventDefault()
        onEnd(false)
      }}
    >
      <div className="front">
        <h1 id={heading}>Confirm that it is you</h1>
        <p>{PROOF_TEXTS.whyProof}</p>
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
        {ways.passkey && (
          <Button
            className="sign-on"
            intent="primary"
            size="large"
            fill
            text="Confirm with your passkey"
            loading={busy}
            onClick={byPasskey}
          />
        )}
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
            <Button
              type="submit"
              intent={ways.passkey ? undefined : 'primary'}
              size="large"
              fill
              text="Confirm"
              loading={busy}
            />
          </form>
        )}
        {ways.authenticator && (
          <form noValidate onSubmit={submitCode}>
            <CodeField inputRef={code} />
            <Button type="submit" size="large" fill text="Confirm with the code" loading={busy} />
          </form>
        )}
        {!hasWay(ways) && <p>{PROOF_TEXTS.noProof}</p>}
        <p>
          <Button variant="minimal" text="Cancel" onClick={() => onEnd(false)} />
        </p>
      </div>
    </dialog>
  )
}

const hasWay = ({ password, authenticator, passkey, providers }: ProofWays) =>
  password || authenticator || passkey || providers.length > 0
