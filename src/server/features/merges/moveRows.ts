import { sql } from 'kysely'
import type { Db, Row, Sql } from '../../core/db.ts'
import type { Changes } from '../../records/audit/audit.ts'
import type { Reference } from '../../records/merged/reference.ts'
import { idsOf } from './rows.ts'

/** What an undo needs, as it is stored. */
export interface Undo {
  /** The record that was merged into `into`, as it was. */
  record: Row
  into: number
  /** The changed fields of the record that remains. */
  fields: Changes
  /** Ids of the rows that moved, by table and column. */
  moved: Record<string, number[]>
  /** Rows that were deleted because the record that remains has the same, by table. */
  deleted: Record<string, Row[]>
}

/** Moves the rows that refer to a record to another one; both are locked. Returns their ids by table and column. */
export async function moveRows(
  db: Db,
  references: Reference[],
  { from, to }: { from: number; to: number },
): Promise<Undo['moved']> {
  const moved: Undo['moved'] = {}
  for (const reference of references) {
    const { table, column, below, withoutId } = reference
    const rows = sql`update ${sql.table(table)} set ${sql.ref(column)} = ${to} where ${refersTo(reference, from)}`
    if (withoutId) await sql`${rows} and ${sql.ref(below!)} is not null`.execute(db)
    else moved[`${table}.${column}`] = await idsOf(db, sql`${rows} returning id`)
  }
  return moved
}

/**
 * Moves back the rows that moved, with the rows that are below them now. The first reference is that of the records
 * below, whose ids it returns. Rows that were moved elsewhere since stay.
 */
export async function moveBack(
  db: Db,
  references: Reference[],
  { moved, into }: Undo,
  old: number,
): Promise<number[]> {
  const [first, ...others] = references
  const movedIds = ({ table, column }: Reference) => moved[`${table}.${column}`] ?? []
  const records = await idsOf(
    db,
    sql`update ${sql.table(first.table)} set ${sql.ref(first.column)} = ${old}
      where ${refersTo(first, into)} and id = any(${movedIds(first)}::int[]) returning id`,
  )
  for (const reference of others) {
    const { table, column, below, withoutId } = reference
    const isOwn = withoutId ? sql`false` : sql`id = any(${movedIds(reference)}::int[])`
    const follows = below
      ? sql`(${sql.ref(below)} = any(${records}::int[]) or ${sql.ref(below)} is null and ${isOwn})`
      : isOwn
    await sql`update ${sql.table(table)} set ${sql.ref(column)} = ${old}
      where ${refersTo(reference, into)} and ${follows}`.execute(db)
  }
  return records
}

export function refersTo({ column, entity }: Reference, record: number): Sql {
  const isOfEntity = entity === undefined ? sql`true` : sql`entity = ${entity}`
  return sql`${sql.ref(column)} = ${record} and ${isOfEntity}`
}
