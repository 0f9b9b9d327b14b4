import { sql } from 'kysely'
import type { Call, Caller } from '../core/call.ts'
import type { Row, Sql } from '../core/db.ts'
import { accessEntry } from './accessLog.ts'
import { clearedGuesses } from './lockout.ts'
import { whoMaySignIn } from './maySignIn.ts'
import { mayUsePassword } from './mayUsePassword.ts'
import { CALLER } from './session.ts'
import { hashToken, makeToken } from './token.ts'

/** How a person has authenticated: by their password, a second factor after it, or a provider through a link. */
export type Proof =
  | 'password'
  | 'second factor'
  | { link: number; sid?: string; idToken: Buffer; authTime?: number }

/**
 * Starts the session of an authenticated person: logs the sign-in, clears the guesses at their user name, inserts the
 * session and reads the caller, all in one statement. Returns the session's token, of which only the hash is stored;
 * undefined if the person may not sign in, which is logged too.
 */
export async function startSession(
  call: Call,
  id: number,
  username: string,
  proof: Proof,
): Promise<{ key: string; me: Caller } | undefined> {
  const { db, settings, request } = call
  const token = makeToken()
  const isHere = typeof proof === 'string'
  const maySignIn = sql`exists (select from person)`
  const { rows } = await sql<Row & Caller>`
    with recursive person as materialized (
      select a.id from staff a where a.id = ${id} and ${whoMaySignIn('a')}
        and ${isHere ? mayUsePassword(settings, 'a') : sql`true`}
    ), team as (
      select id from person union select b.id from staff b join team on b.line_manager = team.id
    ), entry as (
      ${accessEntry(call, username, maySignIn, false)}
    ), ${clearedGuesses(call, username, 'user', maySignIn)}, started as (
      insert into session (token_hash, staff, expires_at, ip_address, user_agent, access_log, authenticated_at, proved_by)
      select ${hashToken(token)}, person.id, now() + make_interval(hours => ${settings.SESSION_HOURS}), ${request.ip},
        ${request.headers['user-agent']?.slice(0, 300)}, entry.id, ${authenticatedAt(proof)},
        ${isHere ? proof : 'provider'} from person, entry
      returning id
    ) ${isHere ? sql`` : sql`, signed_on as (${signedOn(proof)})`}
    select ${CALLER} from person join staff a on a.id = person.id`.execute(db)
  return rows[0] && { key: token, me: rows[0] }
}

/** When the person proved who they are: at a provider that may be long ago, or unknown. */
function authenticatedAt(proof: Proof): Sql {
  if (typeof proof === 'string') return sql`now()`
  return proof.authTime === undefined
    ? sql`'-infinity'::timestamptz`
    : sql`least(now(), to_timestamp(${proof.authTime}))`
}

function signedOn({ link, sid, idToken }: Exclude<Proof, string>): Sql {
  return sql`insert into openid_session (session, link, sid, id_token)
    select id, ${link}, ${sid ?? null}, ${idToken} from started`
}
