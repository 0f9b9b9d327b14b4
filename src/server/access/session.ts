import { sql } from 'kysely'
import type { Caller } from '../core/call.ts'
import type { Db, Sql } from '../core/db.ts'
import type { Settings } from '../core/settings.ts'
import { CHANNEL } from '../core/versionEvents.ts'
import { whoIsThere, whoMaySignIn } from './maySignIn.ts'
import type { FactorDeps } from './needsFactor.ts'
import { isProvedEnough } from './provedEnough.ts'
import { type CallCount, countCalls } from './rateLimit.ts'
import { hashToken } from './token.ts'

/** The columns of a caller without their team, of staff under the alias a. */
const PERSON = sql`a.id, a.username, a.first_name, a.last_name, a.email, a.groups, a.status, a.hub, a.services,
  a.contracts, a.digest, array(
    select l.value from lookup l where l.kind = 'staff_groups' and l.active and l.attrs @> '{"sees_record": true}'
      and l.attrs -> 'members' @> to_jsonb(a.id)) as "readsGroups"`

/** The columns of a caller; the query must define `team`. */
export const CALLER = sql`${PERSON}, array(select id from team) as team`

interface SessionDeps extends FactorDeps {
  db: Db
}

interface SessionUse {
  /** True if the call counts as activity of the session. */
  counts?: boolean
  /** Name of a rate-limited call, which is counted in the same statement and returned as `count`. */
  limited?: string
}

/**
 * The caller of a token; undefined if the session has ended, the person was retired or suspended, or their present
 * roles or settings require a stronger proof than their sign-in had.
 */
export async function callerOf(
  { db, contract, settings }: SessionDeps,
  token: string,
  { counts = true, limited }: SessionUse = {},
): Promise<{ caller: Caller; count?: CallCount } | undefined> {
  const hash = hashToken(token)
  const callCount = limited && countCalls(sql`select staff, ${limited}::text, 1 from live`)
  const { rows } = await sql<Caller & { is_old: boolean; count?: CallCount }>`
    with recursive live as (
      select staff, proved_by, seen_at < now() - interval '20 seconds' as is_old from session
      where token_hash = ${hash} and ${isActive(settings)}
    ), team as (
      select a.id from staff a join live on a.id = live.staff
      union select b.id from staff b join team on b.line_manager = team.id
    ) ${callCount ? sql`, counted as (${callCount})` : sql``}
    select ${CALLER}, live.is_old ${callCount ? sql`, (select to_json(counted) from counted) as count` : sql``}
    from live join staff a on a.id = live.staff
    where ${whoMaySignIn('a')} and ${isProvedEnough({ contract, settings }, 'live', 'a')}`.execute(db)
  if (!rows[0]) return undefined
  const { is_old, count, ...caller } = rows[0]
  if (counts && is_old) void updateLastUse(db, hash).catch(() => undefined)
  return { caller, count }
}

/**
 * Updates the time of a session's last use. The call does not wait for it, nor does it wait for a standby, so that
 * people can still read while a synchronous standby or all writing is unavailable.
 */
async function updateLastUse(db: Db, hash: Buffer): Promise<void> {
  await sql`update session s set seen_at = now()
    from (select set_config('synchronous_commit', 'local', true)) as of_this_statement
    where s.token_hash = ${hash} and s.seen_at < now() - interval '20 seconds'`.execute(db)
}

/**
 * A member of staff as a caller, for a job that works on their behalf; undefined if they may not sign in, or their
 * provider refuses them.
 */
export async function callerById(db: Db, id: number): Promise<Caller | undefined> {
  const { rows } = await sql<Caller>`
    with recursive team as (
      select id from staff where id = ${id}
      union select b.id from staff b join team on b.line_manager = team.id
    )
    select ${CALLER} from staff a where a.id = ${id} and ${whoIsThere('a')}`.execute(db)
  return rows[0]
}

/** The people who may sign in and meet conditions on staff under the alias a, as callers, sorted by name. */
export async function callersWho(db: Db, conditions: Sql[]): Promise<Caller[]> {
  const { rows } = await sql<Caller>`
    with recursive below as (
      select id as leader, id from staff
      union select below.leader, b.id from staff b join below on b.line_manager = below.id
    ), teams as (select leader, array_agg(id) as ids from below group by leader)
    select ${PERSON}, teams.ids as team from staff a join teams on teams.leader = a.id
    where ${sql.join([whoIsThere('a'), ...conditions], sql` and `)} order by a.name_key, a.id`.execute(db)
  return rows
}

/** True if the session of a token has not ended, and its person is neither retired nor suspended. */
export async function isLive(deps: SessionDeps, token: string): Promise<boolean> {
  return (await callerOf(deps, token, { counts: false })) !== undefined
}

export async function endSession(db: Db, token: string): Promise<void> {
  await end(db, sql`token_hash = ${hashToken(token)}`)
}

/** Ends a person's sessions except that of a token; returns their number. */
export async function endSessionsOf(db: Db, staff: number, exceptToken = ''): Promise<number> {
  return end(db, sql`staff = ${staff} and token_hash <> ${hashToken(exceptToken)}`)
}

/** Ends one session of a person by its id; false if they have no such session. */
export async function endSessionOf(db: Db, staff: number, id: number): Promise<boolean> {
  return (await end(db, sql`staff = ${staff} and id = ${id}`)) === 1
}

/** Whose sessions a provider has ended: those of a subject, of one session there, or of both. */
export interface SignedOut {
  issuer: string
  subject: string | undefined
  sid: string | undefined
}

/** Ends the sessions that a provider has ended: of a subject, of one session there, or of both if it names both. */
export async function endSessionsSignedOn(db: Db, { issuer, subject, sid }: SignedOut): Promise<number> {
  const named = [
    sql`l.issuer = ${issuer}`,
    ...(subject === undefined ? [] : [sql`l.subject = ${subject}`]),
    ...(sid === undefined ? [] : [sql`o.sid = ${sid}`]),
  ]
  return end(
    db,
    sql`id in (select o.session from openid_session o join openid_link l on l.id = o.link
      where ${sql.join(named, sql` and `)})`,
  )
}

export async function endSessionsOfLink(db: Db, link: number): Promise<number> {
  return end(db, sql`id in (select session from openid_session where link = ${link})`)
}

/** Ends sessions, saves the logout times in the access log, and notifies the open pages of their person. */
async function end(db: Db, which: Sql): Promise<number> {
  const { rows } = await sql`with ended as (delete from session where ${which} returning staff, access_log),
    noted as (update access_log a set logout_time = now() from ended where a.id = ended.access_log)
    select pg_notify(${CHANNEL}, staff::text) from ended`.execute(db)
  return rows.length
}

interface OwnSession {
  id: number
  user_agent: string | null
  ip_address: string | null
  created_at: Date
  seen_at: Date
  is_current: boolean
}

/** A person's active sessions: that of the token first, then the most recently used. */
export async function sessionsOf(
  { db, contract, settings }: SessionDeps,
  staff: number,
  token: string,
): Promise<OwnSession[]> {
  const { rows } = await sql<OwnSession>`select x.id, x.user_agent, x.ip_address, x.created_at, x.seen_at,
      x.token_hash = ${hashToken(token)} as is_current
    from session x join staff a on a.id = x.staff
    where x.staff = ${staff} and ${isActive(settings)} and ${isProvedEnough({ contract, settings }, 'x', 'a')}
    order by is_current desc, x.seen_at desc, x.id`.execute(db)
  return rows
}

/** The token of an Authorization header ('Token x'); a cookie never authenticates. */
export function tokenOf(header: string | undefined): string | undefined {
  return header?.match(/^Token ([\w-]{20,100})$/)?.[1]
}

function isActive({ IDLE_SECONDS }: Settings): Sql {
  return sql`expires_at > now() and seen_at > now() - make_interval(secs => ${IDLE_SECONDS})`
}
