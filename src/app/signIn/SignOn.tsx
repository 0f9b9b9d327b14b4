import { Button } from '@blueprintjs/core'
import { useEffect, useRef, useState } from 'react'
import { Link, useNavigate, useParams } from 'react-router-dom'
import { makeCall } from '../../engine/core/calls.ts'
import { useContract } from '../../engine/core/contract.ts'
import { isUnanswered } from '../../engine/core/http.ts'
import { MESSAGES } from '../core/messages.ts'
import { popReturnAddress } from '../core/returnAddress.ts'
import { beginSession, type SignedIn, useSession } from '../core/session.ts'
import { isChosen, isSignOnWindow } from './openSignOn.ts'
import { announceProof } from './proofChannel.ts'
import { PROOF_TEXTS } from './proofTexts.ts'
import { refusalOf } from './refusal.ts'
import { Starting } from './Starting.tsx'
import { signOnSettings } from './signOnSettings.ts'

type Outcome =
  | ({ outcome: 'signed in' } & SignedIn)
  | { outcome: 'connect'; id: number; name: string }
  | { outcome: 'confirmed' }

/**
 * The page between this product and a provider: it goes there, and the provider sends the browser back to it. What the
 * address brings back is removed from it at once.
 */
export default function SignOn() {
  const contract = useContract()
  const navigate = useNavigate()
  const { id: provider = '' } = useParams()
  const { user } = useSession()
  const name = signOnSettings().providers.find(({ id }) => id === provider)?.name
  const [search] = useState(location.search)
  const [error, setError] = useState<string>()
  const [proposed, setProposed] = useState<{ id: number; name: string }>()
  const [busy, setBusy] = useState(false)
  const isStarted = useRef(false)
  const [isWindow] = useState(isSignOnWindow)
  const [isDone, setDone] = useState(false)
  const query = new URLSearchParams(search)
  const [purpose] = useState(query.get('for') === 'confirm' ? 'step up' : user ? 'connect' : 'sign in')
  const isAnswer = query.has('state')
  // A link of somebody else must neither sign in nor connect an account: both begin with a click.
  const [isAsking] = useState(!isAnswer && (purpose === 'connect' || !isChosen(provider)))

  const fail = (reason: unknown) => {
    setBusy(false)
    const message = refusalOf(reason)?.message
    setError(message ?? (isUnanswered(reason) ? MESSAGES.offline : PROOF_TEXTS.signOnFailed))
  }
  const goThere = async () => {
    setBusy(true)
    try {
      const body = { provider, purpose }
      location.assign((await makeCall<{ url: string }>(contract, 'signOn.start', { body })).url)
    } catch (reason) {
      fail(reason)
    }
  }
  const comeBack = async () => {
    history.replaceState(history.state, '', location.pathname)
    try {
      const body = { provider, query: search.slice(1) }
      const reply = await makeCall<Outcome>(contract, 'signOn.finish', { body })
      if (reply.outcome === 'connect') return setProposed(reply)
      if (reply.outcome === 'confirmed') announceProof()
      if (reply.outcome === 'signed in') await beginSession(reply)
      if (isWindow) {
        close()
        return setDone(true)
      }
      const address = reply.outcome === 'signed in' ? popReturnAddress(reply.user.id) : '/profile'
      navigate(address ?? '/dashboard', { replace: true })
    } catch (reason) {
      fail(reason)
    }
  }
  const connect = async () => {
    setBusy(true)
    try {
      await makeCall(contract, 'signOnLinks.connect', { params: { id: proposed!.id } })
      navigate('/profile/sign-in', { replace: true })
    } catch (reason) {
      fail(reason)
    }
  }
  useEffect(() => {
    if (isStarted.current || isAsking) return
    isStarted.current = true
    void (isAnswer ? comeBack() : goThere())
  })

  if (!name) return <Failure text={PROOF_TEXTS.noProvider} isSignedIn={user !== undefined} />
  if (error) return <Failure text={error} isSignedIn={user !== undefined} />
  if (isDone)
    return (
      <main className="front">
        <h1>Sign in</h1>
        <p role="status">You are done here. Close this window to go on where you were.</p>
      </main>
    )
  if (isAsking)
    return (
      <main className="front">
        <h1>Sign in with {name}</h1>
        <p>
          You go to {name} and sign in there.
          {purpose === 'connect' && ' Then you confirm that the account is yours.'}
        </p>
        <Button intent="primary" size="large" fill text={`Go to ${name}`} loading={busy} onClick={goThere} />
        {purpose === 'connect' && <BackToProfile />}
      </main>
    )
  if (proposed)
    return (
      <main className="front">
        <h1>Connect this account?</h1>
        <p>
          You signed in at {name} as <strong>{proposed.name}</strong>. Anyone who signs in there as{' '}
          {proposed.name} is then signed in here as you{user && `, ${user.first_name} ${user.last_name}`}.
        </p>
        <Button intent="primary" size="large" fill text="Connect" loading={busy} onClick={connect} />
        <BackToProfile />
      </main>
    )
  return <Starting />
}

function BackToProfile() {
  return (
    <p>
      <Link to="/profile/sign-in">Back to your profile</Link>
    </p>
  )
}

function Failure({ text, isSignedIn }: { text: string; isSignedIn: boolean }) {
  return (
    <main className="front">
      <h1>Sign in</h1>
      <p className="field-error" role="alert">
        {text}
      </p>
      {isSignOnWindow() ? (
        <Button text="Close this window" onClick={() => close()} />
      ) : (
        <p>
          {isSignedIn ? (
            <Link to="/profile/sign-in">Back to your profile</Link>
          ) : (
            <Link to="/login">Back to sign in</Link>
          )}
        </p>
      )}
    </main>
  )
}
