import { createHash, randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import type { Db, Row } from './db.ts'
import type { Settings } from './settings.ts'

/** Who calls: the person, their roles and everything that scope needs, in one row. */
export interface Caller {
  id: number
  username: string
  first_name: string
  last_name: string
  email: string | null
  groups: number[]
  status: number
  hub: number | null
  services: number[]
  contracts: number[]
  /** Ids of the person and of everybody below in the line of managers. */
  team: number[]
}

const ACTIVE = [1, 4]

/** The person a token belongs to, or undefined where the session is over, or the person retired or suspended. */
export async function callerOf(db: Db, token: string, settings: Settings): Promise<Caller | undefined> {
  const hash = hashToken(token)
  const { rows } = await sql<Row & Caller>`
    with recursive live as (
      select * from session
      where token_hash = ${hash} and expires_at > now() and seen_at > now() - make_interval(secs => ${settings.IDLE_SECONDS})
    ), seen as (
      update session s set seen_at = now() from live
      where s.token_hash = live.token_hash and live.seen_at < now() - interval '20 seconds'
    ), team as (
      select a.id from staff a join live on a.id = live.staff
      union select b.id from staff b join team on b.line_manager = team.id
    )
    select a.id, a.username, a.first_name, a.last_name, a.email, a.groups, a.status, a.hub, a.services, a.contracts,
      array(select id from team) as team
    from live join staff a on a.id = live.staff where a.status = any(${ACTIVE}::int[])`.execute(db)
  return rows[0]
}

/** Starts a session and answers its token: 32 random bytes, of which only the hash is kept. */
export async function startSession(
  db: Db,
  staff: number,
  settings: Settings,
  from: { ip?: string; agent?: string },
) {
  const token = randomBytes(32).toString('base64url')
  await sql`insert into session (token_hash, staff, expires_at, ip_address, user_agent) values (
    ${hashToken(token)}, ${staff}, now() + make_interval(hours => ${settings.SESSION_HOURS}), ${from.ip}, ${from.agent?.slice(0, 300)})`.execute(
    db,
  )
  return token
}

/** Ends the session of a token. */
export async function endSession(db: Db, token: string): Promise<void> {
  await sql`delete from session where token_hash = ${hashToken(token)}`.execute(db)
}

/** The token of an Authorization header ('Token x'); a cookie never authenticates. */
export function tokenOf(header: string | undefined): string | undefined {
  return header?.match(/^Token ([\w-]{20,100})$/)?.[1]
}

function hashToken(token: string): Buffer {
  return createHash('sha256').update(token).digest()
}
