import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import type { Endpoint } from '../../contract/generated.ts'
import { EXPORTS_PER_MINUTE, FILES_PER_MINUTE } from '../../contract/limits.ts'
import type { Db, Sql } from '../core/db.ts'
import { type Problem, problem } from '../core/problems.ts'
import { networkOf } from './network.ts'

const MINUTE = 60
const HOUR = 3600
const DAY = 24 * HOUR

/** Calls of one person within the current minute, and the seconds until it ends. */
export interface CallCount {
  calls: number
  seconds: number
}

/**
 * The statement that counts calls within the current minute over all servers, and returns a CallCount; `rows` are staff
 * id, name and number of calls. It is one statement, so that parallel calls cannot pass a limit, and uses the clock of
 * the database, which the servers share. It does not wait for a standby, because authentication may run it.
 */
export function countCalls(rows: Sql): Sql {
  return sql`insert into call_count as c (staff, name, minute, calls)
    select staff, name, date_trunc('minute', now()), calls from (${rows}) r(staff, name, calls),
      (select set_config('synchronous_commit', 'local', true)) as of_this_statement
    on conflict (staff, name) do update set minute = excluded.minute,
      calls = case when c.minute = excluded.minute then c.calls + excluded.calls else excluded.calls end
    returning calls, ceil(extract(epoch from minute + interval '1 minute' - now()))::int as seconds`
}

/** Throws a 429 if the calls of this minute exceed the limit. */
export function enforceLimit(limit: number, { calls, seconds }: CallCount): void {
  if (calls > limit) throw tooOften(`You have done this ${limit} times within a minute.`, seconds)
}

interface RateLimitedCall {
  name: string
  endpoint: Endpoint
  staff: number
  ip: string
  exporting: boolean
}

/**
 * Counts a call, and throws a 429 if it exceeds a limit: that of a public call, counted by network, or that of exports,
 * counted by person.
 */
export async function enforceRateLimits(
  db: Db,
  { name, endpoint, staff, ip, exporting }: RateLimitedCall,
): Promise<void> {
  const { perMinute } = endpoint
  if (perMinute && endpoint.roles === 'public') {
    const seconds = await countCaller(db, {
      name,
      caller: networkOf(ip),
      limit: perMinute,
      windowSeconds: MINUTE,
    })
    if (seconds !== undefined)
      throw tooOften(`You have done this ${perMinute} times within a minute.`, seconds)
  }
  if (exporting) await count(db, staff, 'export', EXPORTS_PER_MINUTE)
}

/** Counts the files of a call, and throws a 429 if a person sent more than FILES_PER_MINUTE within this minute. */
export async function enforceFileLimit(db: Db, staff: number, files: number): Promise<void> {
  if (staff !== 0 && files > 0) await count(db, staff, 'file', FILES_PER_MINUTE, files)
}

async function count(db: Db, staff: number, name: string, limit: number, by = 1): Promise<void> {
  const counting = countCalls(sql`select ${staff}::int, ${name}::text, ${by}::int`)
  const { rows } = await sql<CallCount>`${counting}`.execute(db)
  enforceLimit(limit, rows[0])
}

interface CallerLimit {
  name: string
  /** A network or a mail address; only its hash is stored. */
  caller: string
  limit: number
  /** Calls to add; 0 only reads the count. */
  by?: number
  /** Length of the window in seconds, from its first call. */
  windowSeconds: number
}

/** Counts a call, and throws a 429 with this message if the caller exceeds the limit within a day. */
export async function enforceDailyLimit(
  db: Db,
  message: string,
  options: Omit<CallerLimit, 'windowSeconds'>,
): Promise<void> {
  const seconds = await countCaller(db, { ...options, windowSeconds: DAY })
  if (seconds !== undefined) throw tooOften(message, seconds)
}

/** Counts a call, and returns true if the caller exceeds the limit within a day. */
export async function exceedsDailyLimit(
  db: Db,
  options: Omit<CallerLimit, 'windowSeconds'>,
): Promise<boolean> {
  return (await countCaller(db, { ...options, windowSeconds: DAY })) !== undefined
}

/** Counts calls by a hash of the caller; returns the seconds until the next is allowed, if the limit is exceeded. */
async function countCaller(
  db: Db,
  { name, caller, limit, by = 1, windowSeconds }: CallerLimit,
): Promise<number | undefined> {
  const hash = createHash('sha256').update(caller).digest()
  const isOver = sql`c.since <= now() - make_interval(secs => ${windowSeconds})`
  const { rows } = await sql<CallCount>`
    insert into caller_count as c (name, caller, since, calls) values (${name}, ${hash}, now(), ${by})
    on conflict (name, caller) do update set since = case when ${isOver} then now() else c.since end,
      calls = case when ${isOver} then ${by} else c.calls + ${by} end
    returning calls, ceil(extract(epoch from since + make_interval(secs => ${windowSeconds}) - now()))::int as seconds`.execute(
    db,
  )
  const [{ calls, seconds }] = rows
  return calls > limit ? seconds : undefined
}

function tooOften(message: string, seconds: number): Problem {
  const refusal = problem('tooManyRequests', { message: `${message} Try again in ${duration(seconds)}.` })
  return Object.assign(refusal, { headers: { 'retry-after': String(seconds) } })
}

function duration(seconds: number): string {
  const [unit, size] =
    seconds < 2 * MINUTE ? ['second', 1] : seconds < 2 * HOUR ? ['minute', MINUTE] : ['hour', HOUR]
  const count = Math.ceil(seconds / size)
  return count === 1 ? `1 ${unit}` : `${count} ${unit}s`
}
