import { Button } from '@blueprintjs/core'
import { type FormEvent, useEffect, useRef, useState } from 'react'
import { Link, useLocation } from 'react-router-dom'
import { useContract } from '../../engine/core/contract.ts'
import { isUnanswered } from '../../engine/core/http.ts'
import { loadable } from '../../engine/core/loadable.tsx'
import { withStyle } from '../../engine/core/loadStyle.ts'
import { branding, hasProviders } from '../core/branding.ts'
import { loadShell } from '../core/loadShell.ts'
import { MESSAGES } from '../core/messages.ts'
import { type SignInStep, signIn, useSession } from '../core/session.ts'
import { Password } from './Password.tsx'
import { refusalOf } from './refusal.ts'
import { UserName } from './UserName.tsx'

const SignOnWays = loadable(() => withStyle('proof', import('./SignOnWays.tsx')))
const SecondStep = loadable(() => withStyle('proof', import('./SecondStep.tsx')))

/** The sign-in page. SignedOut, around it, redirects after sign-in. */
export function Login() {
  const { ended, savedDraft } = useSession()
  const message = messageFromState(useLocation().state)
  return (
    <main className="front">
      <div className="front-brand">
        <span className="brand-mark" aria-hidden="true">
          {branding().mark}
        </span>
        <h1>{branding().product}</h1>
        {branding().organisation && <p>{branding().organisation}</p>}
      </div>
      {message && (
        <p className="note" role="status">
          {message}
        </p>
      )}
      {(ended === 'expired' || ended === 'ended') && !message && (
        <p className="note">
          {MESSAGES[ended]} {savedDraft ? MESSAGES.draftKept(savedDraft) : MESSAGES.savedKept}
        </p>
      )}
      <SignInWays />
      {branding().help && <p className="front-help">Cannot sign in? Call {branding().help}.</p>}
    </main>
  )
}

/** The ways to sign in. With `inWindow`, the page of a provider opens in a separate window, so that this page stays. */
export function SignInWays({ inWindow = false }: { inWindow?: boolean }) {
  if (hasProviders()) return <SignOnWays inWindow={inWindow} form={<SignInForm isFirst={false} />} />
  return (
    <>
      <SignInForm isFirst />
      {!inWindow && <ForgottenLink />}
    </>
  )
}

/** The link for those who have forgotten their password. */
export function ForgottenLink() {
  return (
    <p>
      <Link to="/login/reset">Forgotten your password?</Link>
    </p>
  )
}

/** User name, password and the button that signs in; `isFirst`: there is no other way to sign in. */
function SignInForm({ isFirst }: { isFirst: boolean }) {
  const contract = useContract()
  const [error, setError] = useState<string>()
  const [busy, setBusy] = useState(false)
  const [step, setStep] = useState<SignInStep>()
  const username = useRef<HTMLInputElement>(null)
  const password = useRef<HTMLInputElement>(null)
  useEffect(() => {
    if (isFirst) username.current?.focus()
    // Preload the shell while the user types.
    loadShell().catch(() => undefined)
  }, [isFirst])

  const fail = (text: string | undefined, field = password) => {
    setError(text)
    field.current?.focus()
    field.current?.select()
  }
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    if (busy) return
    const credentials = { username: username.current!.value.trim(), password: password.current!.value }
    if (!credentials.username || !credentials.password)
      return fail(MESSAGES.emptyLogin, credentials.username ? password : username)
    setBusy(true)
    try {
      setStep(await signIn(contract, 'auth.login', credentials))
    } catch (reason) {
      setBusy(false)
      const refusal = refusalOf(reason)
      fail(
        refusal
          ? (refusal.message ?? MESSAGES.wrongPassword)
          : isUnanswered(reason)
            ? MESSAGES.offline
            : undefined,
      )
    }
  }

  const startAgain = () => {
    setStep(undefined)
    setBusy(false)
  }
  if (step) return <SecondStep step={step} onCancel={startAgain} />
  return (
    <form noValidate onSubmit={submit}>
      <p id="login-error" className="field-error" role="alert">
        {error}
      </p>
      <UserName inputRef={username} describedBy={error && 'login-error'} />
      <label htmlFor="password">Password</label>
      <Password
        id="password"
        inputRef={password}
        autoComplete="current-password"
        describedBy={error && 'login-error'}
      />
      <Button
        type="submit"
        intent={isFirst ? 'primary' : undefined}
        size="large"
        fill
        text="Sign in"
        loading={busy}
        aria-busy={busy}
      />
    </form>
  )
}

/** The message that the previous page passed in the navigation state. */
function messageFromState(state: unknown): string | undefined {
  const message = (state as { message?: unknown } | null)?.message
  return typeof message === 'string' ? message : undefined
}
