import { sql } from 'kysely'
import type { Db } from '../../core/db.ts'

/** Days in which a merge can be undone. */
export const UNDO_DAYS = 30

/** Forgets what only an undo needs of merges that can no longer be undone; the numbers stay. */
export async function forgetMerges(db: Db): Promise<void> {
  await sql`update merges set undo = null
    where undo is not null and at < now() - make_interval(days => ${UNDO_DAYS})`.execute(db)
}
