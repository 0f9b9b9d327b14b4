import { sql } from 'kysely'
import type { Call } from '../call.ts'

/** Writes down who tried to sign in, or to prove by a password or a link who they are ('' of a link that is none); answers the entry's id. */
export async function logAccess(
  { db, request }: Call,
  username: string,
  succeeded: boolean,
  locked: boolean,
): Promise<number> {
  const { rows } = await sql<{
    id: number
  }>`insert into access_log (username, ip_address, user_agent, path_info, succeeded, locked_out)
    values (coalesce(known_username(nullif(${username}, '')), ''), ${request.ip}, ${request.headers['user-agent']?.slice(0, 300)},
      ${request.routeOptions.url ?? null}, ${succeeded}, ${locked})
    returning id`.execute(db)
  return rows[0].id
}
