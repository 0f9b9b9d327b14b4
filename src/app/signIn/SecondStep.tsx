import { Button, Checkbox } from '@blueprintjs/core'
import { type FormEvent, useEffect, useRef, useState } from 'react'
import { makeCall } from '../../engine/core/calls.ts'
import { useContract } from '../../engine/core/contract.ts'
import { isUnanswered } from '../../engine/core/http.ts'
import { MESSAGES } from '../core/messages.ts'
import { beginSession, type SignedIn, type SignInStep } from '../core/session.ts'
import { type Enrolment, RecoveryCodes, Secret } from './AuthenticatorParts.tsx'
import { CodeField } from './CodeField.tsx'
import { PROOF_TEXTS } from './proofTexts.ts'
import { refusalOf, refusalText } from './refusal.ts'

/** The step after a right password: a code of the person's app, or setting up an app where their role needs one. */
export default function SecondStep({ step, onCancel }: { step: SignInStep; onCancel: () => void }) {
  const { second_factor: missing, token } = step
  const contract = useContract()
  const [enrolment, setEnrolment] = useState<Enrolment>()
  const [signedIn, setSignedIn] = useState<SignedIn & { recovery_codes: string[] }>()
  const [error, setError] = useState<string>()
  const [busy, setBusy] = useState(false)
  const [isRemembered, setRemembered] = useState(false)
  const code = useRef<HTMLInputElement>(null)
  const textOf = (reason: unknown) =>
    refusalText(refusalOf(reason), 'code') ?? (isUnanswered(reason) ? MESSAGES.offline : undefined)
  useEffect(() => {
    code.current?.focus()
    if (missing !== 'set up') return
    makeCall<Enrolment>(contract, 'secondFactor.enrol', { body: { token } }).then(setEnrolment, () =>
      setError(PROOF_TEXTS.stepEnded),
    )
  }, [contract, missing, token])

  const submit = async (event: FormEvent) => {
    event.preventDefault()
    if (busy) return
    const body = { token, code: code.current!.value.trim(), remember: isRemembered ? 'yes' : 'no' }
    if (!body.code) return fail(PROOF_TEXTS.emptyCode)
    setBusy(true)
    try {
      const reply = await makeCall<SignedIn & { recovery_codes?: string[] }>(
        contract,
        'secondFactor.verify',
        { body },
      )
      const { recovery_codes: codes } = reply
      if (codes) return setSignedIn({ ...reply, recovery_codes: codes })
      await beginSession(reply)
    } catch (reason) {
      fail(textOf(reason))
    }
  }
  const fail = (text: string | undefined) => {
    setBusy(false)
    setError(text)
    code.current?.focus()
    code.current?.select()
  }
  if (signedIn)
    return <RecoveryCodes codes={signedIn.recovery_codes} onDone={() => void beginSession(signedIn)} />
  return (
    <form noValidate onSubmit={submit}>
      {missing === 'set up' ? (
        <>
          <p>Your role needs a second factor. Set it up once.</p>
          {enrolment && <Secret enrolment={enrolment} />}
        </>
      ) : (
        <p>Enter the code that your authenticator app shows, or one of your recovery codes.</p>
      )}
      <CodeField inputRef={code} error={error} />
      <Checkbox
        label="Ask for no code in this browser for 30 days"
        checked={isRemembered}
        onChange={() => setRemembered(!isRemembered)}
      />
      <Button type="submit" intent="primary" size="large" fill text="Sign in" loading={busy} />
      <p>
        <Button variant="minimal" text="Back" onClick={onCancel} />
      </p>
    </form>
  )
}
