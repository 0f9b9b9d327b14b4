import { Button, Checkbox } from '@blueprintjs/core'
import { type FormEvent, useEffect, useRef, useState } from 'react'
import { makeCall } from '../../engine/core/calls.ts'
import { useContract } from '../../engine/core/contract.ts'
import { isUnanswered } from '../../engine/core/http.ts'
import { MESSAGES } from '../core/messages.ts'
import { beginSession, type SignedIn, type SignInStep } from '../core/session.ts'
import { type Enrolment, RecoveryCodes, Secret } from './AuthenticatorParts.tsx'
import { CodeField } from './CodeField.tsx'
import { addPasskey, passkeyError, usePasskey } from './passkey.ts'
import { PROOF_TEXTS } from './proofTexts.ts'
import { refusalOf, refusalText } from './refusal.ts'

type Reply = SignedIn & { recovery_codes?: string[] }

/** The step after a right password: a second factor of the person, or setting one up where their role needs one. */
export default function SecondStep({ step, onCancel }: { step: SignInStep; onCancel: () => void }) {
  const { second_factor: missing, token } = step
  const isNew = missing === 'set up'
  const contract = useContract()
  const [enrolment, setEnrolment] = useState<Enrolment>()
  const [signedIn, setSignedIn] = useState<SignedIn & { recovery_codes: string[] }>()
  const [error, setError] = useState<string>()
  const [busy, setBusy] = useState(false)
  const [isRemembered, setRemembered] = useState(false)
  const code = useRef<HTMLInputElement>(null)
  const passkey = useRef<HTMLButtonElement>(null)
  const remember = isRemembered ? 'yes' : 'no'
  useEffect(() => {
    ;(passkey.current ?? code.current)?.focus()
    if (!isNew) return
    makeCall<Enrolment>(contract, 'secondFactor.enrol', { body: { token } }).then(setEnrolment, () =>
      setError(PROOF_TEXTS.stepEnded),
    )
  }, [contract, isNew, token])

  const begin = async (reply: Reply) => {
    const { recovery_codes: codes } = reply
    if (codes) return setSignedIn({ ...reply, recovery_codes: codes })
    await beginSession(reply)
  }
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    if (busy) return
    const body = { token, code: code.current!.value.trim(), remember }
    if (!body.code) return failCode(PROOF_TEXTS.emptyCode)
    setBusy(true)
    try {
      await begin(await makeCall<Reply>(contract, 'secondFactor.verify', { body }))
    } catch (reason) {
      failCode(
        refusalText(refusalOf(reason), 'code') ?? (isUnanswered(reason) ? MESSAGES.offline : undefined),
      )
    }
  }
  const failCode = (text: string | undefined) => {
    setBusy(false)
    setError(text)
    code.current?.focus()
    code.current?.select()
  }
  const byPasskey = async () => {
    setBusy(true)
    setError(undefined)
    const askBody = { token }
    const sendBody = { token, remember }
    const ceremony = { ask: 'passkeys.askAtSignIn', askBody, send: 'passkeys.verify', sendBody }
    try {
      await begin(await (isNew ? addPasskey<Reply> : usePasskey<Reply>)(contract, ceremony))
    } catch (reason) {
      setBusy(false)
      setError(passkeyError(reason))
    }
  }
  if (signedIn)
    return <RecoveryCodes codes={signedIn.recovery_codes} onDone={() => void beginSession(signedIn)} />
  return (
    <form noValidate onSubmit={submit}>
      {isNew && <p>Your role needs a second factor. Set it up once.</p>}
      {step.passkey && (
        <Button
          ref={passkey}
          className="sign-on"
          intent="primary"
          size="large"
          fill
          text={isNew ? 'Set up a passkey' : 'Use your passkey'}
          loading={busy}
          onClick={byPasskey}
        />
      )}
      {isNew && step.passkey && <p>Or set up an authenticator app:</p>}
      {isNew ? enrolment && <Secret enrolment={enrolment} /> : <p>{wordsOf(step)}</p>}
      <CodeField inputRef={code} error={error} />
      <Checkbox
        label="Do not ask for a code in this browser for 30 days"
        checked={isRemembered}
        onChange={() => setRemembered(!isRemembered)}
      />
      <Button
        type="submit"
        intent={step.passkey ? undefined : 'primary'}
        size="large"
        fill
        text="Sign in"
        loading={busy}
      />
      <p>
        <Button variant="minimal" text="Back" onClick={onCancel} />
      </p>
    </form>
  )
}

/** The sentence above the input, which says which codes it takes. */
function wordsOf({ authenticator, passkey }: SignInStep): string {
  if (!authenticator)
    return passkey ? 'Lost it? Enter one of your recovery codes.' : 'Enter one of your recovery codes.'
  return passkey
    ? 'Or enter the code that your authenticator app shows, or one of your recovery codes.'
    : 'Enter the code that your authenticator app shows, or one of your recovery codes.'
}
