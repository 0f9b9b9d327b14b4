import { createHash, createHmac, randomBytes, randomInt } from 'node:crypto'
import { sql } from 'kysely'
import { REFERRAL_LINK_DAYS } from '../../contract/limits.ts'
import type { Db, Row } from '../db.ts'
import { hashToken, makeToken } from '../signIn/token.ts'

/** Letters and digits that are not mistaken for each other on the telephone. */
const ALPHABET = '23456789ABCDEFGHJKMNPQRSTVWXYZ'
const REFERENCE = 8

/** What people quote when they ask about a referral: 'K7M2-XQ9D'. It opens nothing. */
export function makeReference(): string {
  const letters = Array.from({ length: REFERENCE }, () => ALPHABET[randomInt(ALPHABET.length)]).join('')
  return `${letters.slice(0, REFERENCE / 2)}-${letters.slice(REFERENCE / 2)}`
}

/** What a sent form is known by when it comes again: the key that it was sent with, and its body. */
export interface Sending {
  key: string
  hash: Buffer
}

/** Without a key, no repeat is known. */
export function sendingOf(key: unknown, body: unknown): Sending {
  const text = typeof key === 'string' && /^[\w-]{16,100}$/.test(key) ? key : makeToken()
  return {
    key: text,
    hash: createHash('sha256')
      .update(JSON.stringify([text, body]))
      .digest(),
  }
}

/**
 * The secret of a form that was just sent, and its hash. It is not stored: with the key that only the sender has, a repeat
 * derives it from the salt again.
 */
export function firstSecret(
  { key }: Sending,
  salt: Buffer = randomBytes(32),
): { secret: string; hash: Buffer; salt: Buffer } {
  const secret = createHmac('sha256', salt).update(key).digest('base64url')
  return { secret, hash: hashToken(secret), salt }
}

/** What a form that came before was answered; undefined for one that comes for the first time. */
export async function replyTo(
  db: Db,
  sending: Sending,
): Promise<{ reference: string; secret: string; referral: Row } | undefined> {
  const { rows } = await sql<Row & { reference: string; salt: Buffer }>`select q.*, l.salt
    from referral_links l join referral_requests q on q.id = l.request where l.sent_hash = ${sending.hash}`.execute(
    db,
  )
  const [referral] = rows
  return (
    referral && {
      reference: referral.reference,
      secret: firstSecret(sending, referral.salt).secret,
      referral,
    }
  )
}

/** Another secret of a referral, for a mail. */
export async function makeReferralLink(db: Db, request: unknown): Promise<string> {
  const secret = makeToken()
  await sql`insert into referral_links (secret_hash, request) values (${hashToken(secret)}, ${request})`.execute(
    db,
  )
  return secret
}

/** The referral of a secret; undefined where that is wrong, or where the referral was decided too long ago. */
export async function referralBySecret(db: Db, secret: string): Promise<Row | undefined> {
  const { rows } =
    await sql<Row>`select q.* from referral_links l join referral_requests q on q.id = l.request
    where l.secret_hash = ${hashToken(secret)}
      and (q.decided_at is null or q.decided_at > now() - make_interval(days => ${REFERRAL_LINK_DAYS}))`.execute(
      db,
    )
  return rows[0]
}
