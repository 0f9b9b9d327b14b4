import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import type { Call } from '../core/call.ts'
import type { Sql } from '../core/db.ts'
import { PROBLEMS, type Problem, problem } from '../core/problems.ts'
import { isKnownDevice } from './knownDevice.ts'
import { networkOf } from './network.ts'

/** A counter of guesses: of an account by its user name, or of an address by its network. */
interface GuessCounter {
  key: string
  limit: number
  username: string | null
  ip: string | null
}

/**
 * Guesses at the password of a user name, requests for its reset link, or guesses at its second factor. They have
 * separate counters: a locked account can still request a link, and a new password does not clear the guesses at the
 * second factor.
 */
export type GuessKind = 'user' | 'reset' | 'second'

/**
 * Reserves one guess for an account and for its address before the password is checked; false once either has reached
 * its limit. Where the person has signed in before, only the account's counts. A counter restarts LOCK_MINUTES after
 * the last checked guess.
 */
export async function reserveGuess(call: Call, username: string, kind: GuessKind = 'user'): Promise<boolean> {
  const [account, address] = countersOf(call, username, kind)
  const known = isKnownDevice(call, username)
  const { rows } = await sql<{ account: boolean; address: boolean }>`
    with account as (${countGuess(call, account)}),
      address as (${countGuess(call, address, sql`where exists (select from account) and not ${known}`)})
    select exists (select from account) as account, exists (select from address) or ${known} as address`.execute(
    call.db,
  )
  const [reserved] = rows
  if (reserved.account && !reserved.address) await subtractGuess(call, [account.key])
  return reserved.account && reserved.address
}

/**
 * Counts an invalid link for its address; false once that has reached its limit. Links have a counter of their own, so
 * that old ones do not lock an office out of signing in.
 */
export async function countWrongLink(call: Call): Promise<boolean> {
  const { rows } = await countGuess(call, addressCounter(call, 'link')).execute(call.db)
  return rows.length === 1
}

/** Returns a reserved guess if the password could not be checked. */
export async function returnGuess(call: Call, username: string, kind: GuessKind = 'user'): Promise<void> {
  const [account, address] = countersOf(call, username, kind)
  const both = [account.key, address.key]
  const counted = sql`select unnest(case when ${isKnownDevice(call, username)} then ${[account.key]}::text[]
    else ${both}::text[] end) as key, 1 as guesses`
  await sql`with ${subtractedGuesses(counted)} select 1`.execute(call.db)
}

/** Clears the guesses of an account after the right password, and subtracts them from its address. */
export async function clearGuesses(call: Call, username: string, kind: GuessKind = 'user'): Promise<void> {
  await sql`with ${clearedGuesses(call, username, kind)} select 1`.execute(call.db)
}

/** The common table expressions of `clearGuesses`, which only take effect if the condition `who` holds. */
export function clearedGuesses(
  call: Call,
  username: string,
  kind: GuessKind = 'user',
  who: Sql = sql`true`,
): Sql {
  const [account, address] = countersOf(call, username, kind)
  return sql`cleared as (
      delete from access_attempt where key = ${account.key} and ${who} returning failures_since_start as guesses
    ), ${subtractedGuesses(sql`select ${address.key} as key, guesses from cleared where not ${isKnownDevice(call, username)}`)}`
}

/** The problem of a guess above the limit; its waiting time is the same whether the name is known or not. */
export function tooManyGuesses({ settings }: Pick<Call, 'settings'>, name: 'locked' | 'tooOften'): Problem {
  const minutes = settings.LOCK_MINUTES
  const wait = minutes === 1 ? '1 minute' : `${minutes} minutes`
  return problem(name, { message: `${PROBLEMS[name][1]} Try again in ${wait}.` })
}

function countersOf(call: Call, username: string, kind: GuessKind): [GuessCounter, GuessCounter] {
  const { request, settings } = call
  return [
    {
      // Hashed, because a password may have been typed as the user name.
      key: `${kind}:${createHash('sha256').update(username).digest('base64url')}`,
      limit: settings.LOCK_AFTER,
      username,
      ip: request.ip,
    },
    addressCounter(call, 'ip'),
  ]
}

function addressCounter({ request, settings }: Call, prefix: 'ip' | 'link'): GuessCounter {
  const ip = networkOf(request.ip)
  return { key: `${prefix}:${ip}`, limit: settings.LOCK_ADDRESS_AFTER, username: null, ip }
}

/** The statement that counts a guess, atomically so that parallel ones cannot pass the limit; no row beyond it. */
function countGuess(
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

async function subtractGuess({ db }: Call, keys: string[]): Promise<void> {
  await sql`with ${subtractedGuesses(sql`select unnest(${keys}::text[]) as key, 1 as guesses`)} select 1`.execute(
    db,
  )
}

/**
 * The common table expressions that subtract guesses; `guesses` selects keys and numbers. Rows are locked before they
 * are read, so that of several concurrent statements the last one deletes an empty counter. Every statement here locks
 * the account before the address, so that no two can deadlock.
 */
function subtractedGuesses(guesses: Sql): Sql {
  return sql`locked as (
      select a.key, a.failures_since_start - g.guesses as remaining from access_attempt a
      join (${guesses}) g on a.key = g.key
      -- 'user:', 'second:' and 'reset:' come before 'ip:'.
      order by a.key collate "C" desc for update of a
    ), subtracted as (
      update access_attempt a set failures_since_start = remaining, locked_until = null
      from locked where a.key = locked.key and remaining > 0
    ), emptied as (
      delete from access_attempt a using locked where a.key = locked.key and remaining <= 0
    )`
}
