import { sql } from 'kysely'
import type { Call } from '../call.ts'
import { keyOf } from '../columns.ts'
import type { Row } from '../db.ts'
import { scoped } from '../scope.ts'

/**
 * Of audit rows those whose sensitive values are not told: in a sheet all; on a screen those of records that this person
 * cannot open, as where one is gone and was never theirs.
 */
export async function hiddenRecords(call: Call, rows: Row[]): Promise<Set<Row>> {
  if (call.exporting) return new Set(rows)
  const hidden = new Set<Row>()
  for (const name of new Set(rows.map(({ entity }) => String(entity)))) {
    const some = rows.filter(({ entity }) => entity === name)
    const open = await openOf(call, name, some)
    for (const row of some) if (!open.has(Number(row.record))) hidden.add(row)
  }
  return hidden
}

async function openOf({ contract, db, me }: Call, name: string, rows: Row[]): Promise<Set<number>> {
  const entity = contract.entities[name]
  const key = sql.ref(`r.${keyOf(entity)}`)
  const { rows: open } = await sql<{ id: number }>`select ${key} as id from ${sql.table(entity.table!)} r
    where ${key} = any(${rows.map(({ record }) => record)}::int[]) and ${scoped(entity, me)}`.execute(db)
  return new Set(open.map(({ id }) => id))
}
