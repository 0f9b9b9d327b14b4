import { sql } from 'kysely'
import type { Call } from '../core/call.ts'
import type { Sql } from '../core/db.ts'

/** Logs an attempt to sign in or to authenticate by a password or link; `username` is '' for an invalid link. */
export async function logAccess(
  call: Call,
  username: string,
  succeeded: boolean,
  locked: boolean,
): Promise<void> {
  await accessEntry(call, username, sql`${succeeded}`, locked).execute(call.db)
}

/** The statement that inserts an entry and returns its id; `succeeded` is an SQL condition. */
export function accessEntry({ request }: Call, username: string, succeeded: Sql, locked: boolean): Sql {
  return sql`insert into access_log (username, ip_address, user_agent, path_info, succeeded, locked_out)
    values (coalesce(known_username(nullif(${username}, '')), ''), ${request.ip}, ${request.headers['user-agent']?.slice(0, 300)},
      ${request.routeOptions.url ?? null}, ${succeeded}, ${locked})
    returning id`
}
