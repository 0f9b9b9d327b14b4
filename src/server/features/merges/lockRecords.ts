import { setTimeout } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Db, Sql } from '../../core/db.ts'
import { problem } from '../../core/problems.ts'
import { isBusy } from '../../core/sqlProblem.ts'
import type { Mergeable } from '../../records/merged/mergedRecords.ts'
import type { Reference } from '../../records/merged/reference.ts'
import { refersTo } from './moveRows.ts'

const ATTEMPTS = 40
const PAUSE_MS = 50

interface Locked {
  entity: Mergeable
  /** The record that is merged, or restored by an undo, and the other one. */
  ids: number[]
  clients: number[]
  /** The record whose rows are locked too, and the columns that refer to it. */
  rowsOf: number
  references: Reference[]
}

/**
 * Locks two records with their clients in the order of their ids, and all rows of one of them. It never waits with a
 * lock in hand: others lock a row before its client, as the refresh of access rows does, so that waiting for them could
 * be a deadlock. Once the records are locked nobody can add rows below them. Throws the 404 if a record is gone
 * meanwhile.
 */
export async function lockRecords(
  db: Db,
  { entity, ids, clients, rowsOf, references }: Locked,
): Promise<void> {
  const lock = (rows: Sql) => sql`select from ${rows} for update nowait`.execute(db)
  const found = await withoutWaiting(db, async () => {
    await lock(sql`clients where id = any(${clients}::int[]) order by id`)
    const { rows } = await lock(sql`${sql.table(`${entity}s`)} where id = any(${ids}::int[]) order by id`)
    for (const reference of references)
      await lock(sql`${sql.table(reference.table)} where ${refersTo(reference, rowsOf)}`)
    return rows.length
  })
  if (found < ids.length) throw problem('notFound')
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
