import { Button } from '@blueprintjs/core'
import { useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useRef, useState } from 'react'
import { Link } from 'react-router-dom'
import { makeCall, useRead } from '../../engine/core/calls.ts'
import { useContract } from '../../engine/core/contract.ts'
import { ErrorCard } from '../../engine/core/ErrorCard.tsx'
import { notify } from '../../engine/core/notices.ts'
import { useDocumentTitle } from '../../engine/core/pageContext.ts'
import { ScreensBelow } from '../../engine/core/ScreensBelow.tsx'
import { AddPasskey } from './AddPasskey.tsx'
import { type Enrolment, RecoveryCodes, Secret } from './AuthenticatorParts.tsx'
import { CodeField } from './CodeField.tsx'
import { PROOF_TEXTS } from './proofTexts.ts'
import { refusalOf, refusalText } from './refusal.ts'

interface Factor {
  is_offered: boolean
  is_on: boolean
  passkeys_offered: boolean
  has_passkey: boolean
  is_needed: boolean
  recovery_left: number
}

/** The person's second factors: an authenticator app, passkeys and recovery codes. */
export default function Authenticator() {
  const contract = useContract()
  const client = useQueryClient()
  const { data: factor, error: readError, refetch } = useRead<Factor>('secondFactor.mine')
  const [enrolment, setEnrolment] = useState<Enrolment>()
  const [codes, setCodes] = useState<string[]>()
  const [error, setError] = useState<string>()
  const [busy, setBusy] = useState(false)
  const code = useRef<HTMLInputElement>(null)
  useDocumentTitle('Second factor')

  const act = async <T,>(call: string, body?: object): Promise<T | undefined> => {
    setBusy(true)
    setError(undefined)
    try {
      const reply = await makeCall<T>(contract, call, { body })
      await client.invalidateQueries({ queryKey: ['call', 'secondFactor.mine'] })
      return reply
    } catch (reason) {
      // Other errors are shown by the HTTP client.
      setError(refusalText(refusalOf(reason), 'code'))
      code.current?.focus()
      return undefined
    } finally {
      setBusy(false)
    }
  }
  const confirm = async (event: FormEvent) => {
    event.preventDefault()
    const typed = code.current!.value.trim()
    if (!typed) return setError(PROOF_TEXTS.emptyCode)
    const reply = await act<{ recovery_codes: string[] }>('secondFactor.confirm', { code: typed })
    if (!reply) return
    setEnrolment(undefined)
    showCodes(reply.recovery_codes)
  }
  const showCodes = (made: string[]) => {
    if (made.length > 0) return setCodes(made)
    notify({ kind: 'success', text: 'Your second factor is set up' })
  }
  const remove = async () => {
    if ((await act('secondFactor.remove')) !== undefined)
      notify({ kind: 'success', text: 'Your authenticator app is removed' })
  }
  const isOn = factor && (factor.is_on || factor.has_passkey)
  return (
    <>
      <div className="authenticator">
        <p>
          <Link to="/profile/sign-in">How you sign in</Link>
        </p>
        <h1 className="heading">Second factor</h1>
        {!factor && readError && <ErrorCard error={readError} onRetry={() => void refetch()} />}
        {factor && !factor.is_offered && !factor.passkeys_offered && (
          <p>No second factor can be set up here: an administrator must set a key first.</p>
        )}
        {factor && !isOn && !codes && !enrolment && (
          <p>With a second factor, nobody can sign in with your password alone.</p>
        )}
        {codes && <RecoveryCodes codes={codes} onDone={() => setCodes(undefined)} />}
        {factor?.is_offered && !codes && (
          <>
            <h2>Authenticator app</h2>
            {!factor.is_on && !enrolment && (
              <Button
                text="Set up an authenticator app"
                loading={busy}
                onClick={async () => setEnrolment(await act<Enrolment>('secondFactor.begin'))}
              />
            )}
            {enrolment && (
              <form noValidate onSubmit={confirm}>
                <Secret enrolment={enrolment} />
                <CodeField inputRef={code} error={error} />
                <Button type="submit" intent="primary" text="Confirm" loading={busy} />
              </form>
            )}
            {factor.is_on && <p>Your authenticator app is set up.</p>}
            {factor.is_on && (!factor.is_needed || factor.has_passkey) && (
              <Button text="Remove" intent="danger" loading={busy} onClick={remove} />
            )}
          </>
        )}
        {isOn && !codes && (
          <>
            <h2>Recovery codes</h2>
            <p>
              You have {factor.recovery_left} recovery {factor.recovery_left === 1 ? 'code' : 'codes'} left.
            </p>
            <Button
              text="Make new recovery codes"
              loading={busy}
              onClick={async () =>
                setCodes((await act<{ recovery_codes: string[] }>('secondFactor.renewCodes'))?.recovery_codes)
              }
            />
          </>
        )}
      </div>
      {factor?.has_passkey && !codes && <ScreensBelow screens={['own-passkeys']} title="Second factor" />}
      {factor?.passkeys_offered && !codes && (
        <div className="authenticator">
          <AddPasskey onAdded={showCodes} />
        </div>
      )}
    </>
  )
}
