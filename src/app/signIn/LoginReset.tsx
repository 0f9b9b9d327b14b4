import { Button } from '@blueprintjs/core'
import { type FormEvent, useEffect, useRef, useState } from 'react'
import { Link } from 'react-router-dom'
import { makeCall } from '../../engine/core/calls.ts'
import { useContract } from '../../engine/core/contract.ts'
import { PASSWORD_TEXTS } from './passwordTexts.ts'
import { refusalOf, refusalText } from './refusal.ts'
import { UserName } from './UserName.tsx'

/** Requests a mail with a link to set a new password. The text does not reveal if the user name exists. */
export default function LoginReset() {
  const contract = useContract()
  const [error, setError] = useState<string>()
  const [busy, setBusy] = useState(false)
  const [sent, setSent] = useState(false)
  const username = useRef<HTMLInputElement>(null)
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => (sent ? heading : username).current?.focus(), [sent])

  const fail = (text: string | undefined) => {
    setError(text)
    username.current?.focus()
  }
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    if (busy) return
    const body = { username: username.current!.value.trim() }
    if (!body.username) return fail(PASSWORD_TEXTS.noUsername)
    setBusy(true)
    try {
      await makeCall(contract, 'passwords.request', { body })
      setSent(true)
    } catch (reason) {
      fail(refusalText(refusalOf(reason), 'username'))
    } finally {
      setBusy(false)
    }
  }

  if (sent) {
    return (
      <main className="front">
        <h1 ref={heading} tabIndex={-1}>
          Check your email
        </h1>
        <p>{PASSWORD_TEXTS.linkSent}</p>
        <p>The link works for one hour, and once. If no email comes, ask an administrator.</p>
        <p>
          <Link to="/login">Back to sign in</Link>
        </p>
      </main>
    )
  }
  return (
    <main className="front">
      <h1>Forgotten password</h1>
      <p>We send a link to the email address that we have for you. Use it to set a new password.</p>
      <form noValidate onSubmit={submit}>
        <p id="username-error" className="field-error" role="alert">
          {error}
        </p>
        <UserName
          inputRef={username}
          isWrong={error !== undefined}
          describedBy={error ? 'username-error' : undefined}
        />
        <Button
          type="submit"
          intent="primary"
          size="large"
          fill
          text="Send the link"
          loading={busy}
          aria-busy={busy}
        />
      </form>
      <p>
        <Link to="/login">Back to sign in</Link>
      </p>
    </main>
  )
}
