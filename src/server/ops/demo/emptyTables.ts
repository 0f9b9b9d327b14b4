import { sql } from 'kysely'
import type { Db } from '../../core/db.ts'

/** A sentence with the numbers of staff and clients in the database; undefined if there are none. */
export async function whatIsThere(db: Db): Promise<string | undefined> {
  const { rows } = await sql<{ staff: number; clients: number }>`select
    (select count(*)::int from staff) as staff, (select count(*)::int from clients) as clients`.execute(db)
  const { staff, clients } = rows[0]
  return staff + clients > 0 ? `The database holds ${staff} staff and ${clients} clients already.` : undefined
}

/** Deletes staff and clients with all dependent records; lookups, case types and settings remain. */
export async function emptyTables(db: Db): Promise<void> {
  await db.transaction().execute(async (tx) => {
    await sql`truncate clients, tasks, activities, files, bulk_uploads, drafts, session, audit, idempotency, access_attempt, access_log
      restart identity cascade`.execute(tx)
    await sql`update case_type_versions set author = null where author is not null`.execute(tx)
    await sql`delete from staff`.execute(tx) // truncate would also delete the versions of case types
  })
}
