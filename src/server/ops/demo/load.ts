import { sql } from 'kysely'
import type { Row, Tx } from '../../core/db.ts'

/**
 * Inserts rows with the same columns in one statement. With `key`, the name of a unique column, existing rows are
 * updated.
 */
export async function load(tx: Tx, table: string, rows: Row[], key?: string): Promise<void> {
  if (rows.length === 0) return
  const names = Object.keys(rows[0])
  const columns = sql.join(names.map((name) => sql.ref(name)))
  const fresh = names.map((name) => sql`${sql.ref(name)} = ${sql.ref(`excluded.${name}`)}`)
  const onConflict = key ? sql`on conflict (${sql.ref(key)}) do update set ${sql.join(fresh)}` : sql``
  await sql`insert into ${sql.table(table)} (${columns})
    select ${columns} from json_populate_recordset(null::${sql.table(table)}, ${JSON.stringify(rows)}::json) ${onConflict}`.execute(
    tx,
  )
}
