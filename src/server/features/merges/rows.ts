import { sql } from 'kysely'
import type { Db, Row, Sql } from '../../core/db.ts'

export async function jsonOf(db: Db, statement: Sql): Promise<Row[]> {
  const { rows } = await sql<{ row: Row }>`${statement}`.execute(db)
  return rows.map(({ row }) => row)
}

export async function idsOf(db: Db, statement: Sql): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`${statement}`.execute(db)
  return rows.map(({ id }) => id)
}

/**
 * Inserts rows as they were, with their ids, unless others have their keys. If a record that they refer to is gone
 * meanwhile, the rule of the foreign key decides: the row is left out, or refers to nothing.
 */
export async function restoreRows(db: Db, table: string, rows: Row[]): Promise<void> {
  if (rows.length === 0) return
  const columns = (await columnsOf(db, table)).filter(({ name }) => name in rows[0])
  const referred = ({ name, target }: Column) =>
    sql`(select x.id from ${sql.table(target!)} x where x.id = ${sql.ref(`r.${name}`)} for key share)`
  const values = columns.map((column) =>
    column.on_delete === 'n' ? referred(column) : sql.ref(`r.${column.name}`),
  )
  const remains = columns
    .filter(({ on_delete }) => on_delete === 'c')
    .map((column) => sql`(${sql.ref(`r.${column.name}`)} is null or exists ${referred(column)})`)
  await sql`insert into ${sql.table(table)} (${sql.join(columns.map(({ name }) => sql.ref(name)))})
    overriding system value select ${sql.join(values)}
    from jsonb_populate_recordset(null::${sql.table(table)}, ${JSON.stringify(rows)}::jsonb) r
    where ${sql.join([sql`true`, ...remains], sql` and `)} on conflict do nothing`.execute(db)
}

interface Column {
  name: string
  /** The table that it refers to, by its id. */
  target: string | null
  /** What a deletion there does with the row, as pg_constraint has it: 'c' deletes it, 'n' sets the column to null. */
  on_delete: string | null
}

/** The columns of a table that can be written. */
async function columnsOf(db: Db, table: string): Promise<Column[]> {
  const { rows } = await sql<Column>`select a.attname as name, c.relname as target, f.confdeltype as on_delete
    from pg_attribute a left join pg_constraint f on f.conrelid = a.attrelid and f.contype = 'f' and f.conkey = array[a.attnum]
      left join pg_class c on c.oid = f.confrelid
    where a.attrelid = ${table}::regclass and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''`.execute(
    db,
  )
  return rows
}
