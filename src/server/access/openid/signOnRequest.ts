import { sql } from 'kysely'
import type { Call } from '../../core/call.ts'
import { problem } from '../../core/problems.ts'
import { hashToken, makeToken } from '../token.ts'

/** Minutes within which a person must sign in at the provider. */
export const REQUEST_MINUTES = 15

export type Purpose = 'sign in' | 'connect' | 'step up'

/** What is kept of a request while the person is at the provider. */
export interface SignOnRequest {
  provider: string
  nonce: string
  code_verifier: string
  purpose: Purpose
  session_hash: Buffer | null
}

/**
 * Stores a request, bound to this browser by a cookie: an attacker who makes another person open the address of
 * their own sign-on does not sign them in. Returns its state.
 */
export async function storeRequest(call: Call, request: SignOnRequest): Promise<string> {
  const { db, reply, settings } = call
  const [state, browser] = [makeToken(), makeToken()]
  const { provider, nonce, code_verifier, purpose, session_hash } = request
  await sql`insert into openid_request (state_hash, browser_hash, provider, nonce, code_verifier, purpose, session_hash)
    values (${hashToken(state)}, ${hashToken(browser)}, ${provider}, ${nonce}, ${code_verifier}, ${purpose}, ${session_hash})`.execute(
    db,
  )
  reply.setCookie(cookieOf(settings, state), browser, {
    path: '/',
    httpOnly: true,
    sameSite: 'strict',
    secure: isHttps(settings),
    maxAge: REQUEST_MINUTES * 60,
  })
  return state
}

/**
 * Takes the request that a provider has answered, so that no answer counts twice. Throws if there is none for this
 * state and provider, if it was begun in another browser or too long ago.
 */
export async function takeRequest(
  { db, request, reply, settings }: Call,
  provider: string,
  state: string,
): Promise<SignOnRequest> {
  const cookie = cookieOf(settings, state)
  const browser = hashToken(request.cookies[cookie] ?? '')
  const { rows } = await sql<SignOnRequest>`delete from openid_request
    where state_hash = ${hashToken(state)} and browser_hash = ${browser} and provider = ${provider}
      and created_at > now() - make_interval(mins => ${REQUEST_MINUTES})
    returning provider, nonce, code_verifier, purpose, session_hash`.execute(db)
  reply.clearCookie(cookie, { path: '/', secure: isHttps(settings) })
  if (!rows[0]) throw problem('signOnExpired')
  return rows[0]
}

// One cookie a request, so that two tabs can sign in at once. No other host can set one with the __Host- prefix.
function cookieOf(settings: Call['settings'], state: string): string {
  const name = hashToken(state).toString('hex').slice(0, 16)
  return `${isHttps(settings) ? '__Host-' : '_'}sign-on-${name}`
}

const isHttps = ({ PUBLIC_URL }: Call['settings']) => PUBLIC_URL.startsWith('https://')
