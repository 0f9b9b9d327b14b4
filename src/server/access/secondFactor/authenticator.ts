import { sql } from 'kysely'
import type { Call } from '../../core/call.ts'
import type { Db } from '../../core/db.ts'
import { problem } from '../../core/problems.ts'
import { decryptSecret, encryptSecret } from '../encryptSecret.ts'
import { makeSecret, stepOf } from './totp.ts'

interface Row {
  secret: Buffer
  confirmed_at: Date | null
}

/** True if a person has an authenticator app that they have confirmed. */
export async function hasAuthenticator(db: Db, staff: number): Promise<boolean> {
  return (await rowOf(db, staff))?.confirmed_at != null
}

/**
 * A new secret for a person to enter into their app, instead of one that they have not confirmed. Undefined if they
 * have confirmed one: that must be removed first.
 */
export async function offerSecret({ db, settings }: Call, staff: number): Promise<string | undefined> {
  const secret = await makeSecret()
  const stored = encryptSecret(settings, secretOf(staff), secret)
  const { rows } = await sql`insert into authenticator (staff, secret) values (${staff}, ${stored})
    on conflict (staff) do update set secret = excluded.secret where authenticator.confirmed_at is null
    returning 1`.execute(db)
  return rows.length === 1 ? secret : undefined
}

/**
 * Uses a code of a person's app; false if it is wrong or was used already. Throws a 503 if the secret cannot be
 * decrypted. With `confirms` it may be the first code of an app that they set up now, and confirms it; otherwise an app
 * that is not confirmed does not count.
 */
export async function useCode(
  { db, settings, request: { id, log } }: Pick<Call, 'db' | 'settings' | 'request'>,
  staff: number,
  code: string,
  { confirms = false } = {},
): Promise<boolean> {
  const row = await rowOf(db, staff)
  if (!row || (row.confirmed_at === null && !confirms)) return false
  const secret = decryptSecret(settings, secretOf(staff), row.secret)
  // Not reported as a wrong code, because people would try others until they are locked.
  if (secret === undefined) {
    log.error({ id }, 'a secret could not be decrypted: ENCRYPTION_KEY has changed')
    throw problem('secretUnreadable')
  }
  const step = await stepOf(code.replaceAll(/\s/g, ''), secret)
  if (!step) return false
  // Atomically, so that of two calls with the same code one is refused.
  const { rows } =
    await sql`update authenticator set last_step = ${step}, confirmed_at = coalesce(confirmed_at, now())
    where staff = ${staff} and last_step < ${step} and secret = ${row.secret} returning 1`.execute(db)
  return rows.length === 1
}

async function rowOf(db: Db, staff: number): Promise<Row | undefined> {
  const { rows } =
    await sql<Row>`select secret, confirmed_at from authenticator where staff = ${staff}`.execute(db)
  return rows[0]
}

/** The purpose with which the secret of a person's app is encrypted. */
export const secretOf = (staff: number) => `authenticator of person ${staff}`
