import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import type { Call } from '../call.ts'
import type { Sql } from '../db.ts'
import { PROBLEMS, type Problem, problem } from '../problems.ts'
import { networkOf } from './network.ts'

/** Whose guesses are counted: an account's, by its user name, or an address's, by its network. */
interface GuessCounter {
  key: string
  limit: number
  username: string | null
  ip: string | null
}

/** What is guessed at, each with a count of its own: the password of a user name, or a link sent to it (who has forgotten the password may still ask for one). */
type GuessKind = 'user' | 'reset'

/**
 * Reserves one guess for an account and for the address it comes from, before any password is checked; false once
 * either has reached its limit. A count starts anew LOCK_MINUTES after the last checked guess.
 */
export async function reserveGuess(call: Call, username: string, kind: GuessKind = 'user'): Promise<boolean> {
  const [account, address] = countersOf(call, username, kind)
  const { rows } = await sql<{ account: boolean; address: boolean }>`
    with account as (${counted(call, account)}),
      address as (${counted(call, address, sql`where exists (select from account)`)})
    select exists (select from account) as account, exists (select from address) as address`.execute(call.db)
  const [reserved] = rows
  if (reserved.account && !reserved.address) await forgive(call, [account.key])
  return reserved.account && reserved.address
}

/** Counts a wrong link for the address it comes from; false once that has reached its limit. Links have a count of their own: old ones lock nobody out of signing in. */
export async function countWrongLink(call: Call): Promise<boolean> {
  const { rows } = await counted(call, addressOf(call, 'link')).execute(call.db)
  return rows.length === 1
}

/** Gives a reserved guess back that was not validated. */
export async function returnGuess(call: Call, username: string, kind: GuessKind = 'user'): Promise<void> {
  await forgive(
    call,
    countersOf(call, username, kind).map(({ key }) => key),
  )
}

/** Forgets the guesses of an account after its right password; its address is not blamed for them either. */
export async function clearGuesses(call: Call, username: string, kind: GuessKind = 'user'): Promise<void> {
  await sql`with ${clearedGuesses(call, username, kind)} select 1`.execute(call.db)
}

/** What `clearGuesses` does, as the parts of a statement's `with`; only where the condition `who` holds. */
export function clearedGuesses(
  call: Call,
  username: string,
  kind: GuessKind = 'user',
  who: Sql = sql`true`,
): Sql {
  const [account, address] = countersOf(call, username, kind)
  return sql`cleared as (
      delete from access_attempt where key = ${account.key} and ${who} returning failures_since_start as guesses
    ), ${forgiven(sql`select ${address.key} as key, guesses from cleared`)}`
}

/** The refusal of a guess beyond the limit: when to try again is the same for every name, known or not. */
export function tooManyGuesses({ settings }: Pick<Call, 'settings'>, name: 'locked' | 'tooOften'): Problem {
  const minutes = settings.LOCK_MINUTES
  const wait = minutes === 1 ? '1 minute' : `${minutes} minutes`
  return problem(name, { message: `${PROBLEMS[name][1]} Try again in ${wait}.` })
}

function countersOf(call: Call, username: string, kind: GuessKind): [GuessCounter, GuessCounter] {
  const { request, settings } = call
  return [
    {
      // What was typed as a user name may be a password, and is not kept.
      key: `${kind}:${createHash('sha256').update(username).digest('base64url')}`,
      limit: settings.LOCK_AFTER,
      username,
      ip: request.ip,
    },
    addressOf(call, 'ip'),
  ]
}

function addressOf({ request, settings }: Call, prefix: 'ip' | 'link'): GuessCounter {
  const ip = networkOf(request.ip)
  return { key: `${prefix}:${ip}`, limit: settings.LOCK_ADDRESS_AFTER, username: null, ip }
}

/** The statement that counts one guess more, so that parallel ones cannot pass the limit; it returns no row where that is reached. */
function counted(
  { request, settings }: Call,
  { key, limit, username, ip }: GuessCounter,
  where: Sql = sql``,
): Sql {
  const agent = request.headers['user-agent']?.slice(0, 300) ?? null
  const path = request.routeOptions.url ?? null
  const isOver = sql`a.attempt_time < now() - make_interval(mins => ${settings.LOCK_MINUTES})`
  const count = sql`case when ${isOver} then 1 else a.failures_since_start + 1 end`
  const until = sql`now() + make_interval(mins => ${settings.LOCK_MINUTES})`
  return sql`insert into access_attempt as a (key, username, ip_address, user_agent, path_info, failures_since_start, locked_until)
    select ${key}, known_username(${username}), ${ip}, ${agent}, ${path}, 1, case when ${limit}::int <= 1 then ${until} end
    ${where}
    on conflict (key) do update set attempt_time = now(), ip_address = excluded.ip_address,
      user_agent = excluded.user_agent, path_info = excluded.path_info, failures_since_start = ${count},
      locked_until = case when ${count} >= ${limit}::int then ${until} end
    where a.failures_since_start < ${limit}::int or ${isOver}
    returning 1`
}

/** Forgives one guess for each key. */
async function forgive({ db }: Call, keys: string[]): Promise<void> {
  await sql`with ${forgiven(sql`select unnest(${keys}::text[]) as key, 1 as guesses`)} select 1`.execute(db)
}

/**
 * The parts of a statement's `with` that forgive guesses: `guesses` selects key and number. Rows are locked before they
 * are counted, so that of several that give back at once the last one deletes; and the account's before the address's,
 * as in every statement here, so that no two can wait for each other.
 */
function forgiven(guesses: Sql): Sql {
  return sql`held as (
      select a.key, a.failures_since_start - g.guesses as remaining from access_attempt a
      join (${guesses}) g on a.key = g.key
      -- 'user:' and 'reset:' come before 'ip:'.
      order by a.key collate "C" desc for update of a
    ), forgiven as (
      update access_attempt a set failures_since_start = remaining, locked_until = null
      from held where a.key = held.key and remaining > 0
    ), emptied as (
      delete from access_attempt a using held where a.key = held.key and remaining <= 0
    )`
}
