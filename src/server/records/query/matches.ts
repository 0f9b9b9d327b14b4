import { sql } from 'kysely'
import type { Call } from '../../core/call.ts'
import type { Sql } from '../../core/db.ts'
import { NO_PREPARE } from '../../core/namedStatements.ts'

/** Maximum number of matches that are looked up one by one. */
const MAX_LOOKED_UP = 300

/** Ids that were prefetched, so that the next query about them has one plan whatever the search was. */
export interface Matches {
  /** A query for their ids. */
  ids: Sql
  /** True if looking up each is faster than reading all rows that a person may see. */
  areFew: boolean
}

/** Rows that a filter finds by a query of its own, which the query of the page includes. */
export interface FoundRows {
  /** A query for their ids. */
  ids: Sql
  /** True if the caller may see all of them. */
  isVisible: boolean
  /** True if no id is repeated. */
  isDistinct: boolean
}

/** Reads the ids of a query; undefined if they are more than `limit`. */
export async function findMatches(call: Call, query: Sql, limit: number): Promise<Matches | undefined> {
  const { n, ids } = await readIds(call, query, limit)
  return ids === null ? undefined : matchesOf(ids, n)
}

/** Reads the first `limit` ids of a query, in any order; `areAll` is false if there may be more. */
export async function findFirst(
  call: Call,
  query: Sql,
  limit: number,
): Promise<{ matches: Matches; areAll: boolean }> {
  const { n, ids } = await readIds(call, sql`${query} limit ${limit}`, limit)
  return { matches: matchesOf(ids!, n), areAll: n < limit }
}

/**
 * Number of ids of a query, at most `limit` + 1, and the ids as text of an array; null if they are more than `limit`.
 */
async function readIds({ db }: Call, query: Sql, limit: number): Promise<{ n: number; ids: string | null }> {
  const { rows } = await sql<{ n: number; ids: string | null }>`
    select ${sql.raw(NO_PREPARE)} count(*)::int as n,
      case when count(*) <= ${limit}::int then coalesce(array_agg(id), '{}')::text end as ids
    from (select id from (${query}) q(id) limit ${limit + 1}) m`.execute(db)
  return rows[0]
}

function matchesOf(ids: string, n: number): Matches {
  return { ids: sql`select unnest(${ids}::int[]) as id`, areFew: n <= MAX_LOOKED_UP }
}

/**
 * An IN test as a filter, not a join, so that PostgreSQL hashes the query once whatever number of rows it estimates.
 */
export function isIn(column: Sql, query: Sql): Sql {
  return sql`(${column} in (${query})) is true`
}
