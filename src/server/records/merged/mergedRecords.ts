import { sql } from 'kysely'
import { visibleTo } from '../../access/scope.ts'
import type { Call } from '../../core/call.ts'
import type { Db, Sql } from '../../core/db.ts'
import { problem } from '../../core/problems.ts'

/** Entities of which two records can become one. */
export const MERGEABLE = ['client', 'case'] as const
export type Mergeable = (typeof MERGEABLE)[number]

/** The number of the record that remains for a number, as SQL; null if none was merged under it. */
export function remainingId(entity: Mergeable, number: Sql): Sql {
  return sql`(select ${sql.ref(`m.${entity}`)} from merges m where m.entity = ${sql.lit(entity)} and m.old = ${number})`
}

/** The numbers of some records, with those of the records that were merged into them. */
export async function numbersOf(db: Db, entity: string, ids: number[]): Promise<number[]> {
  if (entity !== 'client' && entity !== 'case') return ids
  const { rows } = await sql<{ old: number }>`select old from merges
    where entity = ${entity} and ${sql.ref(entity)} = any(${ids}::int[])`.execute(db)
  return [...ids, ...rows.map(({ old }) => old)]
}

/** Throws a 409 `merged` with the id of what remains if the record of a number was merged into a visible one. */
export async function refuseMerged(call: Call, entity: string, number: unknown): Promise<void> {
  const mergeable = MERGEABLE.find((one) => one === entity)
  const id = mergeable && (await visibleRemaining(call, mergeable, number))
  if (id !== undefined) throw problem('merged', { id })
}

/**
 * The number of the record that a number leads to; undefined for a number of no merged one, and for one that the caller
 * may not see, in the same time.
 */
export async function visibleRemaining(
  { db, me }: Call,
  entity: Mergeable,
  number: unknown,
): Promise<number | undefined> {
  const { rows } = await sql<{ id: number }>`select r.id from ${sql.table(`${entity}s`)} r
    where r.id = ${remainingId(entity, sql`${number}`)} and ${visibleTo(entity, me, 'r')}`.execute(db)
  return rows[0]?.id
}
