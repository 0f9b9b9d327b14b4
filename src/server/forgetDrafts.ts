import { sql } from 'kysely'
import { deleteAuditEvents } from './audit/audit.ts'
import type { Db } from './db.ts'

/** Where an address names a record of a level: '/cases/7/issues/new'. */
const FOLDERS = { client: 'clients', case: 'cases', issue: 'issues' }

/** Deletes everybody's drafts that were begun on a record, or have it chosen in them, with what was noted of them. */
export async function forgetDrafts(db: Db, level: keyof typeof FOLDERS, ids: number[]): Promise<void> {
  const { rows } = await sql<{ id: number }>`delete from drafts where ${ids}::text[] && array[
      payload #>> ${['document', level]}::text[],
      substring(address from ${`/${FOLDERS[level]}/(\\d+)`}),
      substring(address from ${`[?&]${level}=(\\d+)`})
    ] returning id`.execute(db)
  await deleteAuditEvents(db, sql`entity = 'draft' and record = any(${rows.map(({ id }) => id)}::int[])`)
}
