import { sql } from 'kysely'
import type { Db, Sql } from './db.ts'

/**
 * A table whose rows are work, each of which one server at a time leases. Its columns: `id`, `run_at` (not before
 * then), `worker` and `leased_until`, `attempts` (that failed since the last success) and `last_error` (its code).
 */
export interface Queue {
  table: string
  /** Seconds without a renewal after which another server may take a row over. */
  leaseSeconds: number
}

/** A row of a queue that a worker, a random UUID, has leased. */
export interface Lease {
  id: number
  worker: string
}

/** Seconds until the next attempt after one failure; twice as long after each further one, up to the longest. */
const FIRST_BACKOFF_SECONDS = 30
const MAX_BACKOFF_SECONDS = 3600

/** True for a row that a server may lease now. */
export const isDue: Sql = sql`run_at <= now() and (leased_until is null or leased_until < now())`

const leaseEnd = ({ leaseSeconds }: Queue) => sql`now() + make_interval(secs => ${leaseSeconds})`
const also = (set: Sql | undefined) => (set ? sql`, ${set}` : sql``)

/** Leases the row that meets a condition and is due for longest; of several servers, only one gets it. */
export async function leaseNext<R>(
  db: Db,
  queue: Queue,
  worker: string,
  { where, set, returning }: { where: Sql; set?: Sql; returning: Sql },
): Promise<R | undefined> {
  const table = sql.table(queue.table)
  const { rows } =
    await sql<R>`update ${table} set worker = ${worker}, leased_until = ${leaseEnd(queue)} ${also(set)}
    where id = (select id from ${table} where ${isDue} and ${where} order by run_at, id limit 1 for update skip locked)
    returning ${returning}`.execute(db)
  return rows[0]
}

/** Extends a lease; undefined if another server has the row now, or if it no longer meets the condition. */
export async function renewLease<R>(
  db: Db,
  queue: Queue,
  { id, worker }: Lease,
  { where = sql`true`, returning = sql`id` }: { where?: Sql; returning?: Sql } = {},
): Promise<R | undefined> {
  const { rows } = await sql<R>`update ${sql.table(queue.table)} set leased_until = ${leaseEnd(queue)}
    where id = ${id} and worker = ${worker} and ${where} returning ${returning}`.execute(db)
  return rows[0]
}

/** Releases a row after its work succeeded; undefined if another server has it now. */
export async function releaseLease<R>(
  db: Db,
  queue: Queue,
  { id, worker }: Lease,
  { set, returning = sql`id` }: { set?: Sql; returning?: Sql } = {},
): Promise<R | undefined> {
  const { rows } = await sql<R>`update ${sql.table(queue.table)}
    set worker = null, leased_until = null, attempts = 0, last_error = null ${also(set)}
    where id = ${id} and worker = ${worker} returning ${returning}`.execute(db)
  return rows[0]
}

/** Releases a row after a failure, with its code and not its message, which may quote rows; it is due again later. */
export async function postpone(
  db: Db,
  queue: Queue,
  { id, worker }: Lease,
  { code = 'unknown' }: { code?: string },
): Promise<void> {
  const backoff = sql`least(${MAX_BACKOFF_SECONDS}, ${FIRST_BACKOFF_SECONDS} * 2 ^ least(attempts, 20))`
  await sql`update ${sql.table(queue.table)} set worker = null, leased_until = null, attempts = attempts + 1,
      last_error = ${code}, run_at = now() + make_interval(secs => ${backoff})
    where id = ${id} and worker = ${worker}`.execute(db)
}
