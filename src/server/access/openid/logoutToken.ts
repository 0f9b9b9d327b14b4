import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import type { Db } from '../../core/db.ts'
import type { OpenidProvider } from '../../core/openidProviders.ts'
import { problem } from '../../core/problems.ts'
import type { Settings } from '../../core/settings.ts'
import type { SignedOut } from '../session.ts'
import { configurationOf } from './configuration.ts'

const EVENT = 'http://schemas.openid.net/event/backchannel-logout'
/** Only algorithms that sign with a private key: with a shared secret, or none at all, others could sign. */
const ALGORITHMS = [
  'RS256',
  'RS384',
  'RS512',
  'PS256',
  'PS384',
  'PS512',
  'ES256',
  'ES384',
  'ES512',
  'EdDSA',
  'Ed25519',
]
/** Values of `typ` in logout tokens. Access tokens have another one; older providers omit it. */
const TYPES: unknown[] = ['logout+jwt', 'jwt', undefined]
/** Maximum age of a token, and how far the clocks may differ, in seconds. */
const MAX_AGE_S = 300
const TOLERANCE_S = 120
/** Minutes for which used tokens are remembered: longer than a token counts. */
export const LOGOUT_TOKEN_MINUTES = 60

type KeySet = ReturnType<typeof import('jose')['createRemoteJWKSet']>
const keySets = new Map<string, KeySet>()

/**
 * Verifies a logout token (OpenID Connect Back-Channel Logout, 2.6): signature, issuer, audience, age, event, no nonce,
 * and that it was not used before. Throws a 400 if anything is wrong.
 */
export async function verifyLogoutToken(
  db: Db,
  settings: Settings,
  provider: OpenidProvider,
  token: string,
): Promise<SignedOut> {
  const { jwtVerify } = await import('jose')
  const { issuer, jwks_uri } = (await configurationOf(settings, provider)).serverMetadata()
  const { payload, protectedHeader } = await jwtVerify(token, await keysAt(jwks_uri ?? ''), {
    issuer,
    audience: provider.client_id,
    algorithms: ALGORITHMS,
    maxTokenAge: MAX_AGE_S,
    clockTolerance: TOLERANCE_S,
    requiredClaims: ['iat', 'jti', 'events'],
  }).catch((error: { code?: string }) => {
    // A provider that does not answer proves no forgery, so it is asked to send the token again.
    throw problem(error.code?.startsWith('ERR_J') ? 'badLogoutToken' : 'signOnAway')
  })
  const { sub, sid, events, jti, nonce } = payload
  const isType = TYPES.includes(protectedHeader.typ?.toLowerCase())
  const isEvent = typeof events === 'object' && events !== null && Object.hasOwn(events, EVENT)
  const hasSubject = typeof sub === 'string' || typeof sid === 'string'
  if (!isType || !isEvent || !hasSubject || nonce !== undefined || typeof jti !== 'string')
    throw problem('badLogoutToken')
  if (!(await useOnce(db, issuer, jti))) throw problem('badLogoutToken')
  return { issuer, subject: sub, sid: typeof sid === 'string' ? sid : undefined }
}

async function useOnce(db: Db, issuer: string, jti: string): Promise<boolean> {
  const hash = createHash('sha256').update(jti).digest()
  const { rows } = await sql`insert into openid_logout_token (issuer, jti_hash) values (${issuer}, ${hash})
    on conflict do nothing returning 1`.execute(db)
  return rows.length === 1
}

async function keysAt(address: string): Promise<KeySet> {
  const { createRemoteJWKSet } = await import('jose')
  const keys = keySets.get(address) ?? createRemoteJWKSet(new URL(address), { timeoutDuration: 5000 })
  keySets.set(address, keys)
  return keys
}
