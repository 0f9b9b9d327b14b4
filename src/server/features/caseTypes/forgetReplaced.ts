import { sql } from 'kysely'
import type { Db } from '../../core/db.ts'

/** Days in which a publication that took answers along can be undone. */
export const UNDO_DAYS = 30

/**
 * Deletes the answers that publications replaced, once these can no longer be undone; answers that did not fit stay in
 * their record.
 */
export async function forgetReplaced(db: Db): Promise<void> {
  await sql`delete from replaced_answers p using answer_migrations m
    where m.id = p.migration and m.state = 'moved' and m.at < now() - make_interval(days => ${UNDO_DAYS})`.execute(
    db,
  )
}
