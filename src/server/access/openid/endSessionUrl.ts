import { sql } from 'kysely'
import type { Call } from '../../core/call.ts'
import { providerOfIssuer } from '../../core/openidProviders.ts'
import { decryptSecret, encryptSecret } from '../encryptSecret.ts'
import { publicAddress } from '../mail.ts'
import { hashToken } from '../token.ts'
import { configurationOf, openidClient } from './configuration.ts'

const PURPOSE = 'ID token of a session'

/** The ID token of a session, encrypted: the provider asks for it at sign-out. */
export function encryptIdToken({ settings }: Call, idToken: string): Buffer {
  return encryptSecret(settings, PURPOSE, idToken)
}

/**
 * The address at which a person signs out at the provider of their session too. Undefined if the session began by a
 * password, or if the provider has no such address or does not answer, because its failure must not prevent a sign-out
 * here.
 */
export async function endSessionUrl(call: Call, token: string): Promise<string | undefined> {
  const { db, settings } = call
  if (settings.OPENID_PROVIDERS === '') return undefined
  const { rows } = await sql<{ issuer: string; id_token: Buffer }>`select l.issuer, o.id_token
    from session s join openid_session o on o.session = s.id join openid_link l on l.id = o.link
    where s.token_hash = ${hashToken(token)}`.execute(db)
  const provider = providerOfIssuer(settings.OPENID_PROVIDERS, rows[0]?.issuer)
  if (!provider) return undefined
  try {
    const configuration = await configurationOf(settings, provider)
    if (!configuration.serverMetadata().end_session_endpoint) return undefined
    const { buildEndSessionUrl } = await openidClient()
    const id_token_hint = decryptSecret(settings, PURPOSE, rows[0].id_token)
    return buildEndSessionUrl(configuration, {
      post_logout_redirect_uri: `${publicAddress(call)}/thanks`,
      ...(id_token_hint && { id_token_hint }),
    }).href
  } catch {
    return undefined
  }
}
