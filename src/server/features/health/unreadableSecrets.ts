import { sql } from 'kysely'
import { decryptSecret } from '../../access/encryptSecret.ts'
import { refreshTokenOf } from '../../access/openid/links.ts'
import { secretOf } from '../../access/secondFactor/authenticator.ts'
import type { Db } from '../../core/db.ts'
import type { Settings } from '../../core/settings.ts'

/** Maximum number of secrets of each kind that are tried. */
const MAX_TRIED = 1000

/** How many of the newest stored secrets ENCRYPTION_KEY does not decrypt, as after a change of the key. */
export async function unreadableSecrets(
  db: Db,
  settings: Settings,
): Promise<{ authenticators: number; signOns: number }> {
  const { rows: apps } = await sql<{
    id: number
    secret: Buffer
  }>`select staff as id, secret from authenticator
    where confirmed_at is not null order by confirmed_at desc limit ${MAX_TRIED}`.execute(db)
  const { rows: links } = await sql<{ id: number; secret: Buffer }>`select id, refresh_token as secret
    from openid_link where refresh_token is not null order by refreshed_at desc limit ${MAX_TRIED}`.execute(
    db,
  )
  const isUnreadable = (purpose: string, secret: Buffer) =>
    decryptSecret(settings, purpose, secret) === undefined
  return {
    authenticators: apps.filter(({ id, secret }) => isUnreadable(secretOf(id), secret)).length,
    signOns: links.filter(({ id, secret }) => isUnreadable(refreshTokenOf(id), secret)).length,
  }
}
