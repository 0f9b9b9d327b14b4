import { sql } from 'kysely'
import type { Db } from '../db.ts'
import { whoMaySignIn } from './maySignIn.ts'
import { hashToken, makeToken } from './token.ts'

/** Whom a link is for, while it lasts and they may sign in. */
export interface Invited {
  id: number
  username: string
  first_name: string
  last_name: string
  email: string | null
}

/** Makes the token of a link that lasts one hour; only its hash is kept. */
export async function makeLink(db: Db, staff: number): Promise<string> {
  const token = makeToken()
  await sql`insert into password_reset (token_hash, staff, expires_at)
    values (${hashToken(token)}, ${staff}, now() + interval '1 hour')`.execute(db)
  return token
}

/** Whose link a token is; undefined where it is used, too old or made up. */
export async function invitedBy(db: Db, token: string): Promise<Invited | undefined> {
  const { rows } = await sql<Invited>`select s.id, s.username, s.first_name, s.last_name, s.email
    from password_reset r join staff s on s.id = r.staff where r.token_hash = ${hashToken(token)} and r.expires_at > now() and ${whoMaySignIn('s')}`.execute(
    db,
  )
  return rows[0]
}

/** Uses a link up, in the transaction that sets the password; false where somebody else was quicker. */
export async function useToken(db: Db, token: string): Promise<boolean> {
  const { rows } =
    await sql`delete from password_reset where token_hash = ${hashToken(token)} and expires_at > now()
    returning 1`.execute(db)
  return rows.length === 1
}
