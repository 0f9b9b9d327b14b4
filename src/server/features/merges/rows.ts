import { sql } from 'kysely'
import type { Db, Row, Sql } from '../../core/db.ts'

/** Rows that a statement returns as JSON. */
export async function jsonOf(db: Db, statement: Sql): Promise<Row[]> {
  const { rows } = await sql<{ row: Row }>`${statement}`.execute(db)
  return rows.map(({ row }) => row)
}

/** The ids that a statement returns. */
export async function idsOf(db: Db, statement: Sql): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`${statement}`.execute(db)
  return rows.map(({ id }) => id)
}

/** Inserts rows as they were, with their ids; what they refer to may be gone meanwhile. */
export async function restoreRows(db: Db, table: string, rows: Row[]): Promise<void> {
  if (rows.length === 0) return
  const { rows: columns } = await sql<{ name: string }>`select attname as name from pg_attribute
    where attrelid = ${table}::regclass and attnum > 0 and not attisdropped and attgenerated = ''`.execute(db)
  const names = sql.join(columns.filter(({ name }) => name in rows[0]).map(({ name }) => sql.ref(name)))
  await sql`insert into ${sql.table(table)} (${names}) select ${names}
    from jsonb_populate_recordset(null::${sql.table(table)}, ${JSON.stringify(rows)}::jsonb)
    on conflict do nothing`.execute(db)
}
