import { setTimeout } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Call } from '../../core/call.ts'
import type { Db, Sql } from '../../core/db.ts'
import { problem } from '../../core/problems.ts'
import { isBusy } from '../../core/sqlProblem.ts'
import { MOVED } from '../../records/merged/clientReferences.ts'

const ATTEMPTS = 40
const PAUSE_MS = 50

/**
 * Locks two clients in the order of their ids, and all rows of the second one. It never waits with a lock in hand: others
 * lock a row before its client, as the refresh of access rows does, so that waiting for them could be a deadlock. Once the
 * clients are locked nobody can add rows below them. Throws the 404 if a client is gone meanwhile.
 */
export async function lockRecords(
  { db }: Pick<Call, 'db'>,
  clients: number[],
  rowsOf: number,
): Promise<void> {
  const found = await withoutWaiting(db, async () => {
    const { rows } = await sql`select from clients where id = any(${clients}::int[])
      order by id for update nowait`.execute(db)
    for (const { table, column } of MOVED)
      await sql`select from ${sql.table(table)} where ${sql.ref(column)} = ${rowsOf} for update nowait`.execute(
        db,
      )
    return rows.length
  })
  if (found < clients.length) throw problem('notFound')
}

/** Repeats work that is refused a lock, having released those that it had got. */
async function withoutWaiting<T>(db: Db, work: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    await sql`savepoint locking`.execute(db)
    try {
      const result = await work()
      await sql`release savepoint locking`.execute(db)
      return result
    } catch (error) {
      if (!isBusy(error) || attempt === ATTEMPTS) throw error
      await sql`rollback to savepoint locking`.execute(db)
      await setTimeout(PAUSE_MS)
    }
  }
}

/** Rows that a statement returns as JSON. */
export async function jsonOf(db: Db, statement: Sql): Promise<Record<string, unknown>[]> {
  const { rows } = await sql<{ row: Record<string, unknown> }>`${statement}`.execute(db)
  return rows.map(({ row }) => row)
}
