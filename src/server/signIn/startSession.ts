import { sql } from 'kysely'
import type { Call } from '../call.ts'
import type { Row } from '../db.ts'
import { accessEntry } from './accessLog.ts'
import { clearedGuesses } from './lockout.ts'
import { whoMaySignIn } from './maySignIn.ts'
import { CALLER, type Caller } from './session.ts'
import { hashToken, makeToken } from './token.ts'

/**
 * Lets a person in who has proved who they are: notes the sign-in, forgets the guesses at their name, starts a session
 * and reads who they are, all in one statement. Answers the session's token, of which only the hash is kept; undefined
 * where they may not sign in, which is noted too.
 */
export async function startSession(
  call: Call,
  id: number,
  username: string,
): Promise<{ key: string; me: Caller } | undefined> {
  const { db, settings, request } = call
  const token = makeToken()
  const isLetIn = sql`exists (select from person)`
  const { rows } = await sql<Row & Caller>`
    with recursive person as materialized (
      select a.id from staff a where a.id = ${id} and ${whoMaySignIn('a')}
    ), team as (
      select id from person union select b.id from staff b join team on b.line_manager = team.id
    ), entry as (
      ${accessEntry(call, username, isLetIn, false)}
    ), ${clearedGuesses(call, username, 'user', isLetIn)}, started as (
      insert into session (token_hash, staff, expires_at, ip_address, user_agent, access_log)
      select ${hashToken(token)}, person.id, now() + make_interval(hours => ${settings.SESSION_HOURS}), ${request.ip},
        ${request.headers['user-agent']?.slice(0, 300)}, entry.id from person, entry
    )
    select ${CALLER} from person join staff a on a.id = person.id`.execute(db)
  return rows[0] && { key: token, me: rows[0] }
}
