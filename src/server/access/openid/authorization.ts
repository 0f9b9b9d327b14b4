import type { IDToken } from 'openid-client'
import type { Call } from '../../core/call.ts'
import type { OpenidProvider } from '../../core/openidProviders.ts'
import { problem } from '../../core/problems.ts'
import type { Settings } from '../../core/settings.ts'
import { publicAddress } from '../mail.ts'
import { FRESH_SECONDS } from '../stepUp.ts'
import { configurationOf, openidClient, providerAway } from './configuration.ts'
import { isUnavailable } from './isUnavailable.ts'
import { type Purpose, type SignOnRequest, storeRequest } from './signOnRequest.ts'

/** Maximum length of a claim that is stored. */
const MAX_CLAIM = 254

/** Seconds by which the clock of a provider may differ from ours. */
const CLOCK_TOLERANCE_S = 120

/** Who a person is at a provider, from a verified ID token. */
export interface Identity {
  issuer: string
  subject: string
  name: string
  first_name: string
  last_name: string
  username: string
  /** Only if the provider says that it has verified the address. */
  email: string
  /** Undefined if the provider says nothing about groups. */
  groups: string[] | undefined
  sid: string | undefined
  /** When they signed in there, in seconds since 1970, if the provider says so. */
  authTime: number | undefined
  idToken: string
  refreshToken: string | undefined
}

/** The address of a page at which the provider asks a person to sign in; the request is stored until they come back. */
export async function authorizationUrl(
  call: Call,
  provider: OpenidProvider,
  { purpose, sessionHash }: { purpose: Purpose; sessionHash?: Buffer },
): Promise<string> {
  const client = await openidClient()
  const configuration = await configurationOf(call.settings, provider)
  const code_verifier = client.randomPKCECodeVerifier()
  const nonce = client.randomNonce()
  const state = await storeRequest(call, {
    provider: provider.id,
    nonce,
    code_verifier,
    purpose,
    session_hash: sessionHash ?? null,
  })
  return client.buildAuthorizationUrl(configuration, {
    redirect_uri: redirectUri(call, provider),
    scope: provider.scope,
    state,
    nonce,
    code_challenge: await client.calculatePKCECodeChallenge(code_verifier),
    code_challenge_method: 'S256',
    // It also makes the provider say when the person signed in there.
    max_age: purpose === 'step up' ? '0' : String(call.settings.SESSION_HOURS * 3600),
  }).href
}

/**
 * Exchanges the code of a provider's answer for an ID token, and verifies both: state, issuer of the answer, signature,
 * issuer, audience, nonce and times. Throws a 401 if anything is wrong.
 */
export async function identityOf(
  call: Call,
  provider: OpenidProvider,
  { nonce, code_verifier, purpose }: SignOnRequest,
  { state, query }: { state: string; query: string },
): Promise<Identity> {
  const client = await openidClient()
  const configuration = await configurationOf(call.settings, provider)
  const answer = new URL(redirectUri(call, provider))
  answer.search = query
  try {
    const tokens = await client.authorizationCodeGrant(configuration, answer, {
      expectedState: state,
      expectedNonce: nonce,
      pkceCodeVerifier: code_verifier,
      idTokenExpected: true,
      ...(purpose === 'step up' && { maxAge: FRESH_SECONDS }),
    })
    const identity = identityFrom(provider, tokens.claims()!, tokens)
    if (isTooOld(identity, call.settings)) throw Object.assign(new Error(), { code: 'auth_time' })
    return identity
  } catch (error) {
    if (isUnavailable(error)) throw providerAway(provider)
    const { code, error: reason } = error as { code?: string; error?: string }
    call.request.log.warn(
      { id: call.request.id, provider: provider.id, code, reason },
      'a sign-on was refused',
    )
    throw problem('signOnRefused')
  }
}

/**
 * True if a person signed in at their provider longer ago than a session lasts. The request's `max_age` does not ensure
 * this, because people can remove it from the address. Some providers do not say when somebody signed in.
 */
export function isTooOld({ authTime }: Pick<Identity, 'authTime'>, { SESSION_HOURS }: Settings): boolean {
  return authTime !== undefined && authTime < Date.now() / 1000 - SESSION_HOURS * 3600 - CLOCK_TOLERANCE_S
}

export function identityFrom(
  provider: OpenidProvider,
  claims: IDToken,
  { id_token = '', refresh_token }: { id_token?: string; refresh_token?: string },
): Identity {
  const text = (name: string) => {
    const value = claims[name]
    return typeof value === 'string' ? value.trim().slice(0, MAX_CLAIM) : ''
  }
  return {
    issuer: claims.iss,
    subject: claims.sub,
    name: text('name') || `${text('given_name')} ${text('family_name')}`.trim(),
    first_name: text('given_name'),
    last_name: text('family_name'),
    username: text('preferred_username'),
    email: claims.email_verified === true ? text('email') : '',
    groups: groupsOf(claims[provider.groups]),
    sid: text('sid') || undefined,
    authTime: claims.auth_time,
    idToken: id_token,
    refreshToken: refresh_token,
  }
}

function groupsOf(claim: unknown): string[] | undefined {
  if (typeof claim === 'string') return [claim]
  return Array.isArray(claim)
    ? claim.filter((group): group is string => typeof group === 'string')
    : undefined
}

/**
 * The address that a provider sends people back to. Each has its own, so that an answer of one is never accepted as
 * another's.
 */
function redirectUri(call: Call, { id }: OpenidProvider): string {
  return `${publicAddress(call)}/sign-on/${id}`
}
