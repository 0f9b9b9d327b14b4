import { sql } from 'kysely'
import type { Db } from '../../core/db.ts'
import { providerOfIssuer } from '../../core/openidProviders.ts'
import type { Settings } from '../../core/settings.ts'
import { decryptSecret } from '../encryptSecret.ts'
import { type Identity, identityFrom } from './authorization.ts'
import { configurationOf, openidClient } from './configuration.ts'
import { isUnavailable } from './isUnavailable.ts'
import { encryptRefreshToken, refreshTokenOf } from './links.ts'

/** A link with the refresh token of the last sign-on. */
export interface RenewableLink {
  id: number
  staff: number
  issuer: string
  subject: string
  refresh_token: Buffer
}

/**
 * The outcome of a renewal: `refused` if the provider refuses the person; `unreachable` if it does not answer;
 * `clientRefused` if it refuses the product itself, as after the end of a client secret; `unreadable` if the refresh
 * token cannot be decrypted; `failed` for any other answer; `superseded` if another sign-on has replaced the token
 * meanwhile, or the settings no longer have the provider.
 */
export type Renewal =
  | { outcome: 'renewed'; identity: Identity }
  | { outcome: 'refused' | 'unreachable' | 'clientRefused' | 'unreadable' | 'failed' | 'superseded' }

/** Errors of OAuth that are about the product, not about a person. */
const OF_CLIENT = ['invalid_client', 'unauthorized_client', 'unsupported_grant_type', 'invalid_scope']

/** Renews the sign-on of a link, and stores the next refresh token. */
export async function renew(db: Db, settings: Settings, link: RenewableLink): Promise<Renewal> {
  const { id, issuer, subject, refresh_token: stored } = link
  const token = decryptSecret(settings, refreshTokenOf(id), stored)
  const provider = providerOfIssuer(settings.OPENID_PROVIDERS, issuer)
  if (!provider) return { outcome: 'superseded' }
  if (token === undefined) return { outcome: 'unreadable' }
  try {
    const { refreshTokenGrant } = await openidClient()
    const tokens = await refreshTokenGrant(await configurationOf(settings, provider), token)
    const next = encryptRefreshToken(settings, id, tokens.refresh_token ?? token)
    await sql`update openid_link set refresh_token = ${next}, refreshed_at = now()
      where id = ${id} and refresh_token = ${stored}`.execute(db)
    const claims = tokens.claims() ?? { iss: issuer, sub: subject, aud: '', iat: 0, exp: 0 }
    // OpenID Connect Core, 12.2: an ID token that comes with a refresh must be of the same subject.
    if (claims.iss !== issuer || claims.sub !== subject) return { outcome: 'failed' }
    return { outcome: 'renewed', identity: identityFrom(provider, claims, tokens) }
  } catch (error) {
    if (isUnavailable(error) || (error as { statusCode?: number }).statusCode === 503)
      return { outcome: 'unreachable' }
    const { error: reason = '' } = error as { error?: string }
    if (OF_CLIENT.includes(reason)) return { outcome: 'clientRefused' }
    if (reason !== 'invalid_grant') return { outcome: 'failed' }
    const { rows } =
      await sql`update openid_link set refresh_token = null where id = ${id} and refresh_token = ${stored}
      returning 1`.execute(db)
    return { outcome: rows.length === 1 ? 'refused' : 'superseded' }
  }
}
