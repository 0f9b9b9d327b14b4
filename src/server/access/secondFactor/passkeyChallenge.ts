import { sql } from 'kysely'
import type { Db } from '../../core/db.ts'

/** Minutes within which an authenticator must sign a challenge. */
export const CHALLENGE_MINUTES = 5

/** What a challenge is for: a new passkey, or one that the person has. */
export type ChallengePurpose = 'create' | 'use'

/**
 * Stores the challenge of a session or of a step of a sign-in, whose token has this hash, instead of an earlier one.
 */
export async function storeChallenge(
  db: Db,
  tokenHash: Buffer,
  purpose: ChallengePurpose,
  challenge: string,
): Promise<void> {
  await sql`insert into passkey_challenge (token_hash, purpose, challenge) values (${tokenHash}, ${purpose}, ${challenge})
    on conflict (token_hash, purpose) do update set challenge = excluded.challenge, created_at = now()`.execute(
    db,
  )
}

/** Takes the challenge, so that it counts once, whatever the answer to it is; undefined if there is none. */
export async function takeChallenge(
  db: Db,
  tokenHash: Buffer,
  purpose: ChallengePurpose,
): Promise<string | undefined> {
  const { rows } = await sql<{ challenge: string; is_young: boolean }>`delete from passkey_challenge
    where token_hash = ${tokenHash} and purpose = ${purpose}
    returning challenge, created_at > now() - make_interval(mins => ${CHALLENGE_MINUTES}) as is_young`.execute(
    db,
  )
  return rows[0]?.is_young ? rows[0].challenge : undefined
}
