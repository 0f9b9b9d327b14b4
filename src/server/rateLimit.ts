import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import type { Endpoint } from '../contract/generated.ts'
import { EXPORTS_PER_MINUTE, FILES_PER_MINUTE } from '../contract/limits.ts'
import type { Db, Sql } from './db.ts'
import { type Problem, problem } from './problems.ts'
import { networkOf } from './signIn/network.ts'

const MINUTE = 60
const HOUR = 3600
const DAY = 24 * HOUR

/** How often somebody made a call within this minute, and the seconds that are left of it. */
export interface CallCount {
  calls: number
  seconds: number
}

/**
 * The statement that counts calls within this minute, over all servers, and answers a CallCount. `rows` are person, name
 * and how many. One statement, so that parallel calls cannot pass a limit; the clock is the database's, which servers
 * share. It does not wait for a standby, for it may be part of finding out who calls.
 */
export function countCalls(rows: Sql): Sql {
  return sql`insert into call_count as c (staff, name, minute, calls)
    select staff, name, date_trunc('minute', now()), calls from (${rows}) r(staff, name, calls),
      (select set_config('synchronous_commit', 'local', true)) as of_this_statement
    on conflict (staff, name) do update set minute = excluded.minute,
      calls = case when c.minute = excluded.minute then c.calls + excluded.calls else excluded.calls end
    returning calls, ceil(extract(epoch from minute + interval '1 minute' - now()))::int as seconds`
}

/** Throws the 429 where somebody called more often than a minute allows. */
export function refuseBeyond(limit: number, { calls, seconds }: CallCount): void {
  if (calls > limit) throw tooOften(`You have done this ${limit} times within a minute.`, seconds)
}

/** Who makes which call, and from where. */
interface Asking {
  name: string
  endpoint: Endpoint
  staff: number
  ip: string
  exporting: boolean
}

/**
 * Throws the 429 where somebody who is not signed in made a limited call too often within this minute, counted by their
 * network, or a person too many exports.
 */
export async function refuseTooOften(
  db: Db,
  { name, endpoint, staff, ip, exporting }: Asking,
): Promise<void> {
  const { perMinute } = endpoint
  if (perMinute && endpoint.roles === 'public') {
    const seconds = await countCaller(db, {
      name,
      caller: networkOf(ip),
      limit: perMinute,
      within: MINUTE,
    })
    if (seconds !== undefined)
      throw tooOften(`You have done this ${perMinute} times within a minute.`, seconds)
  }
  if (exporting) await count(db, staff, 'export', EXPORTS_PER_MINUTE)
}

/** Throws the 429 where a person sent more files than FILES_PER_MINUTE within this minute, these among them. */
export async function refuseTooManyFiles(db: Db, staff: number, files: number): Promise<void> {
  if (staff !== 0 && files > 0) await count(db, staff, 'file', FILES_PER_MINUTE, files)
}

async function count(db: Db, staff: number, name: string, limit: number, by = 1): Promise<void> {
  const counting = countCalls(sql`select ${staff}::int, ${name}::text, ${by}::int`)
  const { rows } = await sql<CallCount>`${counting}`.execute(db)
  refuseBeyond(limit, rows[0])
}

interface CallerLimit {
  /** What is counted. */
  name: string
  /** A network or a mail address; only its hash is kept. */
  caller: string
  limit: number
  /** How many calls this is; 0 only asks. */
  by?: number
  /** Seconds after the first call, when the count begins anew. */
  within: number
}

/** Throws the 429 with this message where somebody did something too often within a day. */
export async function refuseTooOftenADay(
  db: Db,
  message: string,
  options: Omit<CallerLimit, 'within'>,
): Promise<void> {
  const seconds = await countCaller(db, { ...options, within: DAY })
  if (seconds !== undefined) throw tooOften(message, seconds)
}

/** Counts as `refuseTooOftenADay` does, and answers whether it was too often. */
export async function isTooOftenADay(db: Db, options: Omit<CallerLimit, 'within'>): Promise<boolean> {
  return (await countCaller(db, { ...options, within: DAY })) !== undefined
}

/** Counts a call of somebody who is not signed in; seconds until the next is allowed once there were too many. */
async function countCaller(
  db: Db,
  { name, caller, limit, by = 1, within }: CallerLimit,
): Promise<number | undefined> {
  const hash = createHash('sha256').update(caller).digest()
  const isOver = sql`c.since <= now() - make_interval(secs => ${within})`
  const { rows } = await sql<CallCount>`
    insert into caller_count as c (name, caller, since, calls) values (${name}, ${hash}, now(), ${by})
    on conflict (name, caller) do update set since = case when ${isOver} then now() else c.since end,
      calls = case when ${isOver} then ${by} else c.calls + ${by} end
    returning calls, ceil(extract(epoch from since + make_interval(secs => ${within}) - now()))::int as seconds`.execute(
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
