import { sql } from 'kysely'
import type { Call } from './call.ts'
import type { Sql } from './db.ts'
import { PLANNED_ANEW } from './namedStatements.ts'

/** Up to so many are looked up one by one. */
const FEW = 300

/** Rows that were found first, so that what is asked of them next is planned once, whatever was searched for. */
export interface Matches {
  /** A query for their ids. */
  ids: Sql
  /** Whether looking each up is faster than reading all that a person sees. */
  areFew: boolean
}

/** The rows whose ids a query has, undefined where these are more than `most`. */
export async function findMatches({ db }: Call, query: Sql, most: number): Promise<Matches | undefined> {
  const { rows } = await sql<{ n: number; ids: string | null }>`
    select ${sql.raw(PLANNED_ANEW)} count(*)::int as n,
      case when count(*) <= ${most}::int then coalesce(array_agg(id), '{}')::text end as ids
    from (${query} limit ${most + 1}) m(id)`.execute(db)
  const [{ n, ids }] = rows
  return ids === null ? undefined : { ids: sql`select unnest(${ids}::int[]) as id`, areFew: n <= FEW }
}

/** As a test of its own, so that the query is computed once and hashed, however few rows PostgreSQL expects of it. */
export function isIn(column: Sql, query: Sql): Sql {
  return sql`(${column} in (${query})) is true`
}
