import { useSyncExternalStore } from 'react'
import { callOf } from '../../contract/call.ts'
import type { Contract } from '../../contract/contract.ts'
import { tabStorage } from '../../engine/core/browserStorage.ts'
import { makeCall } from '../../engine/core/calls.ts'
import { isReachable } from '../../engine/core/connection.ts'
import { http } from '../../engine/core/http.ts'
import type { User } from '../../engine/core/user.ts'
import { hasWaitingSaves, setSender } from '../../engine/core/waitingSaves.ts'
import { draftInProgress } from '../../engine/form/drafts/inProgress.ts'
import { store, stored } from './storage.ts'

/**
 * How a session ended: by the user in this tab or in another one, by inactivity, or elsewhere (on the profile, by an
 * administrator).
 */
export type Ending = 'left' | 'leftElsewhere' | 'expired' | 'ended'

/**
 * The signed-in user. `ended`, `lastUser` and `savedDraft` (the kind of the draft that was open) are about the previous
 * session; `failed` means that the server could not be asked who the stored token belongs to.
 */
interface Session {
  state: 'starting' | 'failed' | 'ready'
  user?: User
  lastUser?: number
  ended?: Ending
  savedDraft?: string
  /** The person whose page stays open under a cover, because what they typed could not be saved. */
  covered?: User
  /** True while the page of one person is closed because another one signs in. */
  isChangingHands?: true
}

let session: Session = {
  state: 'starting',
  lastUser: Number(tabStorage.get('lastUser')) || undefined,
}
const listeners = new Set<() => void>()

/** The session; renders again on every change. */
export function useSession(): Session {
  return useSyncExternalStore(subscribeToSession, currentSession)
}

/** The session without a subscription. */
export function currentSession(): Session {
  return session
}

/** Calls the listener after every change of the session. Returns the unsubscribe function. */
export function subscribeToSession(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

function change(next: Session): void {
  session = next
  setSender(next.user?.id)
  for (const listener of listeners) listener()
}

/** Reads the user of the stored token; without a token nobody is signed in. */
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

/** What is missing after a right password: a second factor, or setting one up that the role of the person needs. */
export interface SignInStep {
  second_factor: 'code' | 'set up'
  token: string
  /** The second factors that the person can use or set up. */
  authenticator: boolean
  passkey: boolean
}

/**
 * Signs in by a call that replies with {key, user} (auth.login, auth.setup); rejects with its AxiosError. Returns the step
 * that is missing, if the call replies with one.
 */
export async function signIn(
  contract: Contract,
  call: 'auth.login' | 'auth.setup',
  body: unknown,
): Promise<SignInStep | undefined> {
  const reply = await makeCall<SignedIn | SignInStep>(contract, call, { body })
  if ('second_factor' in reply) return reply
  await beginSession(reply)
  return undefined
}

/** The reply of a call that signs in. */
export interface SignedIn {
  key: string
  user: User
}

/** Begins the session that the server has replied with. */
export async function beginSession({ key, user }: SignedIn): Promise<void> {
  await uncoverUnless(user)
  store('ended', null)
  store('token', key)
  enter(user)
}

/** Takes over a session that began in another tab or window, and uncovers the page of the same person. */
export async function joinSession(contract: Contract): Promise<void> {
  if (!session.covered) return startSession(contract)
  const user = await makeCall<User>(contract, 'auth.me').catch(() => undefined)
  if (!user) return
  await uncoverUnless(user)
  enter(user)
}

async function uncoverUnless(user: User): Promise<void> {
  if (session.covered && session.covered.id !== user.id) await uncoverForOthers()
}

/** Closes the page of somebody else, and everything on it, before the next person has a token. */
async function uncoverForOthers(): Promise<void> {
  change({ ...session, covered: undefined, isChangingHands: true })
  await new Promise((resolve) => setTimeout(resolve))
}

function enter(user: User): void {
  tabStorage.set('lastUser', String(user.id))
  change({ state: 'ready', user, lastUser: user.id })
}

/** Updates the signed-in user with refetched values, for example when they are on leave now. */
export function renewUser(user: User): void {
  if (session.user?.id === user.id && session.user !== user) change({ ...session, user })
}

/** Ends the session here and in all tabs at once, and then at the server, whether or not that can be reached. */
export function signOut(contract: Contract): Promise<void> {
  return endSession('left', contract)
}

/** Ends the session after inactivity, here, in all tabs and at the server. */
export function expire(contract: Contract): Promise<void> {
  return endSession('expired', contract)
}

/**
 * Ends the session in this browser, without a call. If the person did not sign out in this tab, and the server cannot
 * be reached or a save still waits, the page stays under a cover.
 */
export function clearSession(ended: Ending): void {
  store('ended', ended)
  store('token', null)
  store('csrf', null)
  const mustStay = ended !== 'left' && (!isReachable() || hasWaitingSaves())
  const covered = mustStay ? (session.user ?? session.covered) : undefined
  change({ state: 'ready', ended, lastUser: session.lastUser, savedDraft: draftInProgress(), covered })
}

/** Clears how the previous session ended; the next page only shows that nobody is signed in. */
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
  // Nobody is signed in here any more, even if the request fails.
  const reply = await http
    .request<{ url?: string }>({ method, url: path, headers, showsLoss: true })
    .catch(() => undefined)
  // A sign-out by the user in this tab also signs out at the provider. After another ending the page stays, because it
  // may have unsaved input.
  if (ended === 'left' && reply?.data?.url) location.assign(reply.data.url)
}
