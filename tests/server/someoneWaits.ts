import { sql } from 'kysely'
import type { Db } from '../../src/server/core/db.ts'

/** True if a statement in the database waits for a lock. */
export async function someoneWaits(db: Db): Promise<boolean> {
  const { rows } = await sql`select from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock'`.execute(db)
  return rows.length > 0
}
