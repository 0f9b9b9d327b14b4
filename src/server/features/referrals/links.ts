import { createHash, createHmac, randomBytes, randomInt } from 'node:crypto'
import { sql } from 'kysely'
import { REFERRAL_LINK_DAYS } from '../../../contract/limits.ts'
import type { ReferralRequest } from '../../../contract/types/entities.ts'
import { hashToken, makeToken } from '../../access/token.ts'
import type { Db } from '../../core/db.ts'

/** A referral whose referrer may have an address for mails. */
export type MailedReferral = Pick<ReferralRequest, 'id' | 'channel' | 'referrer'>

/** Letters and digits that are not mistaken for each other on the telephone. */
const ALPHABET = '23456789ABCDEFGHJKMNPQRSTVWXYZ'
const REFERENCE_LENGTH = 8

/** A reference that people quote when they ask about a referral: 'K7M2-XQ9D'. It gives no access. */
export function makeReference(): string {
  const letters = Array.from({ length: REFERENCE_LENGTH }, () => ALPHABET[randomInt(ALPHABET.length)]).join(
    '',
  )
  return `${letters.slice(0, REFERENCE_LENGTH / 2)}-${letters.slice(REFERENCE_LENGTH / 2)}`
}

/** Identifies a submitted form when it is sent again: its idempotency key, and a hash of key and body. */
export interface Submission {
  key: string
  hash: Buffer
}

/** The submission of a body; without a valid key, a repeat is not recognised. */
export function submissionOf(key: unknown, body: unknown): Submission {
  const text = typeof key === 'string' && /^[\w-]{16,100}$/.test(key) ? key : makeToken()
  return {
    key: text,
    hash: createHash('sha256')
      .update(JSON.stringify([text, body]))
      .digest(),
  }
}

/**
 * The secret of a submission, and its hash. It is not stored: a repeat derives it again from the salt and the key,
 * which only the sender has.
 */
export function firstSecret(
  { key }: Submission,
  salt: Buffer = randomBytes(32),
): { secret: string; hash: Buffer; salt: Buffer } {
  const secret = createHmac('sha256', salt).update(key).digest('base64url')
  return { secret, hash: hashToken(secret), salt }
}

/** Finds a repeated submission with its reference and secret; undefined for a new one. */
export async function findSubmission(
  db: Db,
  submission: Submission,
): Promise<{ reference: string; secret: string; referral: MailedReferral } | undefined> {
  const { rows } = await sql<MailedReferral & { reference: string; salt: Buffer }>`select q.*, l.salt
    from referral_links l join referral_requests q on q.id = l.request where l.sent_hash = ${submission.hash}`.execute(
    db,
  )
  const [referral] = rows
  return (
    referral && {
      reference: referral.reference,
      secret: firstSecret(submission, referral.salt).secret,
      referral,
    }
  )
}

/** Adds a link to a referral, for a mail, and returns its secret. */
export async function makeReferralLink(db: Db, request: number): Promise<string> {
  const secret = makeToken()
  await sql`insert into referral_links (secret_hash, request) values (${hashToken(secret)}, ${request})`.execute(
    db,
  )
  return secret
}

/** The referral of a secret; undefined if the secret is wrong, or the referral was decided too long ago. */
export async function referralBySecret(
  db: Db,
  secret: string,
): Promise<Pick<ReferralRequest, 'id' | 'hub'> | undefined> {
  const { rows } = await sql<
    Pick<ReferralRequest, 'id' | 'hub'>
  >`select q.* from referral_links l join referral_requests q on q.id = l.request
    where l.secret_hash = ${hashToken(secret)}
      and (q.decided_at is null or q.decided_at > now() - make_interval(days => ${REFERRAL_LINK_DAYS}))`.execute(
    db,
  )
  return rows[0]
}
