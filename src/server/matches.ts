import { sql } from 'kysely'
import type { Call } from './call.ts'
import type { Sql } from './db.ts'
import { PLANNED_ANEW } from './namedStatements.ts'

/** Up to so many are looked up one by one. */
const FEW = 300

/** Rows that were found first, so that the next query about them is planned once, whatever was searched for. */
export interface Matches {
  /** A query for their ids. */
  ids: Sql
  /** Whether looking each up is faster than reading all that a person sees. */
  areFew: boolean
}

/** The rows whose ids a query has, undefined where these are more than `most`. */
export async function findMatches(call: Call, query: Sql, most: number): Promise<Matches | undefined> {
  const { n, ids } = await readIds(call, query, most)
  return ids === null ? undefined : matchesOf(ids, n)
}

/** The first `most` of these rows, in any order, and whether they are all. */
export async function findFirst(
  call: Call,
  query: Sql,
  most: number,
): Promise<{ matches: Matches; areAll: boolean }> {
  const { n, ids } = await readIds(call, sql`${query} limit ${most}`, most)
  return { matches: matchesOf(ids!, n), areAll: n < most }
}

/** How many ids a query has, as far as `most`, and the ids as PostgreSQL writes an array, null where they are more. */
async function readIds({ db }: Call, query: Sql, most: number): Promise<{ n: number; ids: string | null }> {
  const { rows } = await sql<{ n: number; ids: string | null }>`
    select ${sql.raw(PLANNED_ANEW)} count(*)::int as n,
      case when count(*) <= ${most}::int then coalesce(array_agg(id), '{}')::text end as ids
    from (select id from (${query}) q(id) limit ${most + 1}) m`.execute(db)
  return rows[0]
}

function matchesOf(ids: string, n: number): Matches {
  return { ids: sql`select unnest(${ids}::int[]) as id`, areFew: n <= FEW }
}

/** As a test of its own, so that the query is computed once and hashed, however few rows PostgreSQL expects of it. */
export function isIn(column: Sql, query: Sql): Sql {
  return sql`(${column} in (${query})) is true`
}
