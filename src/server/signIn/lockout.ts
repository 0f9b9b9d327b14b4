import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import type { Call } from '../call.ts'
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
  if (!(await reserve(call, account))) return false
  if (await reserve(call, address)) return true
  await forgiveGuesses(call, account.key, 1)
  return false
}

/** Counts a wrong link for the address it comes from; false once that has reached its limit. Links have a count of their own: old ones lock nobody out of signing in. */
export function countWrongLink(call: Call): Promise<boolean> {
  return reserve(call, addressOf(call, 'link'))
}

/** Gives a reserved guess back that was not validated. */
export async function returnGuess(call: Call, username: string, kind: GuessKind = 'user'): Promise<void> {
  for (const { key } of countersOf(call, username, kind)) await forgiveGuesses(call, key, 1)
}

/** Forgets the guesses of an account after its right password; its address is not blamed for them either. */
export async function clearGuesses(call: Call, username: string, kind: GuessKind = 'user'): Promise<void> {
  const [account, address] = countersOf(call, username, kind)
  const { rows } = await sql<{ n: number }>`delete from access_attempt where key = ${account.key}
    returning failures_since_start as n`.execute(call.db)
  if (rows[0]) await forgiveGuesses(call, address.key, rows[0].n)
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

/** Counts one guess more in one statement, so that parallel ones cannot pass the limit; false where it is reached. */
async function reserve(
  { db, request, settings }: Call,
  { key, limit, username, ip }: GuessCounter,
): Promise<boolean> {
  const agent = request.headers['user-agent']?.slice(0, 300) ?? null
  const path = request.routeOptions.url ?? null
  const isOver = sql`a.attempt_time < now() - make_interval(mins => ${settings.LOCK_MINUTES})`
  const counted = sql`case when ${isOver} then 1 else a.failures_since_start + 1 end`
  const until = sql`now() + make_interval(mins => ${settings.LOCK_MINUTES})`
  const { rows } =
    await sql`insert into access_attempt as a (key, username, ip_address, user_agent, path_info, failures_since_start, locked_until)
    values (${key}, known_username(${username}), ${ip}, ${agent}, ${path}, 1, case when ${limit}::int <= 1 then ${until} end)
    on conflict (key) do update set attempt_time = now(), ip_address = excluded.ip_address,
      user_agent = excluded.user_agent, path_info = excluded.path_info, failures_since_start = ${counted},
      locked_until = case when ${counted} >= ${limit}::int then ${until} end
    where a.failures_since_start < ${limit}::int or ${isOver}
    returning 1`.execute(db)
  return rows.length === 1
}

async function forgiveGuesses({ db }: Call, key: string, guesses: number): Promise<void> {
  await sql`update access_attempt set failures_since_start = failures_since_start - ${guesses}::int, locked_until = null
    where key = ${key}`.execute(db)
  // Last, for several may give back at once.
  await sql`delete from access_attempt where key = ${key} and failures_since_start <= 0`.execute(db)
}
