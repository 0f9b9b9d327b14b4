import { sql } from 'kysely'
import type { Staff } from '../../contract/types/entities.ts'
import type { Call } from '../core/call.ts'
import type { Db } from '../core/db.ts'
import { whoMaySignIn } from './maySignIn.ts'
import { mayGetPassword } from './mayUsePassword.ts'
import { hashToken, makeToken } from './token.ts'

/** The person of a valid link. */
export type Invited = Pick<Staff, 'id' | 'username' | 'first_name' | 'last_name' | 'email'>

/** Creates the token of a link that is valid for one hour; only its hash is stored. */
export async function makeLink(db: Db, staff: number): Promise<string> {
  const token = makeToken()
  await sql`insert into password_reset (token_hash, staff, expires_at)
    values (${hashToken(token)}, ${staff}, now() + interval '1 hour')`.execute(db)
  return token
}

/**
 * The person of a token; undefined if it was used, has expired or does not exist, or they may not sign in by a
 * password.
 */
export async function invitedBy(
  { db, settings }: Pick<Call, 'db' | 'settings'>,
  token: string,
): Promise<Invited | undefined> {
  const { rows } = await sql<Invited>`select s.id, s.username, s.first_name, s.last_name, s.email
    from password_reset r join staff s on s.id = r.staff 
    where r.token_hash = ${hashToken(token)} and r.expires_at > now() and ${whoMaySignIn('s')}
      and ${mayGetPassword(settings, 's')}`.execute(db)
  return rows[0]
}

/** Deletes a used token, in the transaction that sets the password; false if another call used it first. */
export async function useToken(db: Db, token: string): Promise<boolean> {
  const { rows } =
    await sql`delete from password_reset where token_hash = ${hashToken(token)} and expires_at > now()
    returning 1`.execute(db)
  return rows.length === 1
}
