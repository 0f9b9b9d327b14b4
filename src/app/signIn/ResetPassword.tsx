import { Button } from '@blueprintjs/core'
import { isAxiosError } from 'axios'
import { type FormEvent, useEffect, useRef, useState } from 'react'
import { useNavigate, useParams } from 'react-router-dom'
import { hintOf, ruleError } from '../../contract/rules.ts'
import { makeCall } from '../../engine/core/calls.ts'
import { useContract } from '../../engine/core/contract.ts'
import Strength from '../../engine/form/widgets/Strength.tsx'
import { clearEnding, signOut, useSession } from '../core/session.ts'
import { Password } from './Password.tsx'
import { PASSWORD_TEXTS } from './passwordTexts.ts'
import { refusalOf, refusalText } from './refusal.ts'
import { Starting } from './Starting.tsx'

/** Sets a new password by the link of a mail. The link is checked first; a bad one redirects to the sign-in page. */
export default function ResetPassword() {
  const contract = useContract()
  const navigate = useNavigate()
  const { id: token } = useParams()
  const { user } = useSession()
  const [username, setUsername] = useState<string>()
  const [error, setError] = useState<string>()
  const [busy, setBusy] = useState(false)
  const password = useRef<HTMLInputElement>(null)

  useEffect(() => {
    let isHere = true
    makeCall<{ username: string }>(contract, 'passwords.check', { params: { token } }).then(
      (reply) => isHere && setUsername(reply.username),
      (reason) => isHere && navigate('/login', away(wordsOfLink(reason))),
    )
    return () => {
      isHere = false
    }
  }, [contract, navigate, token])
  useEffect(() => {
    if (username !== undefined) password.current?.focus()
  }, [username])

  const fail = (text: string | undefined) => {
    setBusy(false)
    setError(text)
    password.current?.focus()
  }
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    if (busy) return
    const body = { password: password.current!.value }
    const wrong = ruleError('new_password', body.password, { answers: {}, today: '' })
    if (wrong) return fail(`Password ${wrong}`)
    setBusy(true)
    try {
      await makeCall(contract, 'passwords.set', { params: { token }, body })
    } catch (reason) {
      if (isAxiosError(reason) && reason.response?.status === 404)
        return navigate('/login', away(wordsOfLink(reason)))
      return fail(wordsOfLink(reason))
    }
    // Sign out in every tab, so that a user who was signed in here continues with the new password.
    if (user) {
      await signOut(contract)
      clearEnding()
    }
    navigate('/login', away(PASSWORD_TEXTS.newPassword))
  }

  if (username === undefined) return <Starting />
  return (
    <main className="front">
      <h1>Set a new password</h1>
      <p>
        For the user name <strong>{username}</strong>. Everywhere it is signed in, it will be signed out.
      </p>
      <form noValidate onSubmit={submit}>
        {/* For password managers. */}
        <input type="text" name="username" autoComplete="username" value={username} readOnly hidden />
        <label htmlFor="password">Password</label>
        <p id="password-hint" className="hint">
          {hintOf(['new_password'])}
        </p>
        <p id="password-error" className="field-error" role="alert">
          {error}
        </p>
        <Password
          id="password"
          inputRef={password}
          autoComplete="new-password"
          isWrong={error !== undefined}
          describedBy={error ? 'password-hint password-error' : 'password-hint'}
        />
        <Strength input="password" />
        <Button
          type="submit"
          intent="primary"
          size="large"
          fill
          text="Set password"
          loading={busy}
          aria-busy={busy}
        />
      </form>
    </main>
  )
}

const away = (message: string | undefined) => ({ replace: true, state: message ? { message } : undefined })

function wordsOfLink(reason: unknown): string | undefined {
  const refusal = refusalOf(reason)
  return refusal?.code === 'deadLink' ? PASSWORD_TEXTS.tooLate : refusalText(refusal, 'password')
}
