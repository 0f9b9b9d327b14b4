import { useSyncExternalStore } from 'react'
import { callOf } from '../../contract/call.ts'
import type { Contract } from '../../contract/contract.ts'
import { draftInProgress } from '../../engine/drafts/inProgress.ts'
import { makeCall } from '../../engine/runtime/calls.ts'
import { http } from '../../engine/runtime/http.ts'
import type { User } from '../../engine/runtime/user.ts'
import { store, stored } from '../storage.ts'

/** By the person, for want of anything done, or elsewhere: on their own profile, by an administrator. */
export type Ending = 'left' | 'expired' | 'ended'

/**
 * Who is signed in. `ended` says how the session before ended, `lastUser` whose it was, `savedDraft` the
 * kind of the draft that was open then; `failed` means that the server could not be asked who the stored token belongs to.
 */
interface Session {
  state: 'starting' | 'failed' | 'ready'
  user?: User
  lastUser?: number
  ended?: Ending
  savedDraft?: string
}

let session: Session = {
  state: 'starting',
  lastUser: Number(sessionStorage.getItem('lastUser')) || undefined,
}
const listeners = new Set<() => void>()

/** The session, drawn anew whenever it changes. */
export function useSession(): Session {
  return useSyncExternalStore(subscribeToSession, currentSession)
}

/** The session at this moment. */
export function currentSession(): Session {
  return session
}

/** Calls back after every change of the session until the returned function is called. */
export function subscribeToSession(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

function change(next: Session): void {
  session = next
  for (const listener of listeners) listener()
}

/** Asks who the stored token belongs to; without one nobody is signed in. */
export async function startSession(contract: Contract): Promise<void> {
  if (stored('token') === null) return change({ ...session, state: 'ready', user: undefined })
  change({ ...session, state: 'starting' })
  try {
    enter(await makeCall<User>(contract, 'auth.me'))
  } catch {
    // A refused token has ended the session already; anything else may be tried again.
    if (session.state === 'starting') change({ ...session, state: 'failed' })
  }
}

/** Signs in by a call that replies with {key, user} (auth.login, auth.setup); rejects with its AxiosError. */
export async function signIn(
  contract: Contract,
  call: 'auth.login' | 'auth.setup',
  body: unknown,
): Promise<void> {
  const { key, user } = await makeCall<{ key: string; user: User }>(contract, call, { body })
  store('ended', null)
  store('token', key)
  enter(user)
}

function enter(user: User): void {
  sessionStorage.setItem('lastUser', String(user.id))
  change({ state: 'ready', user, lastUser: user.id })
}

/** Takes over what was read anew of the person signed in, such as that they are on leave now. */
export function renewUser(user: User): void {
  if (session.user?.id === user.id && session.user !== user) change({ ...session, user })
}

/** Ends the session here and in all tabs at once, and then at the server, whether or not that can be reached. */
export function signOut(contract: Contract): Promise<void> {
  return endSession('left', contract)
}

/** Ends the session because nothing was done for too long; what the server has of it ends too. */
export function expire(contract: Contract): Promise<void> {
  return endSession('expired', contract)
}

/** Forgets a session that the server no longer knows, or that another tab has ended. */
export function clearSession(ended: Ending): void {
  store('ended', ended)
  store('token', null)
  store('csrf', null)
  change({ state: 'ready', ended, lastUser: session.lastUser, savedDraft: draftInProgress() })
}

/** Forgets how the session before ended: who comes now is simply not signed in. */
export function clearEnding(): void {
  if (session.ended) change({ ...session, ended: undefined })
}

async function endSession(ended: Ending, contract: Contract): Promise<void> {
  const token = stored('token')
  const csrf = stored('csrf')
  clearSession(ended)
  if (token === null) return
  const headers = { Authorization: `Token ${token}`, ...(csrf && { 'X-Csrftoken': csrf }) }
  const { method, path } = callOf(contract.endpoints['auth.logout'])
  // Nobody is signed in here any more, whatever the answer is.
  await http.request({ method, url: path, headers }).catch(() => undefined)
}
