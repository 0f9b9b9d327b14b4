import { sql } from 'kysely'
import type { Db } from '../../core/db.ts'
import { UPLOADED_FILE } from '../../features/bulk/readUpload.ts'
import { UNDO_DAYS } from '../../features/bulk/upload.ts'

const NOT_FINISHED = `It was not finished within ${UNDO_DAYS} days, and its rows were deleted`

/** Deletes cells and files of uploads that cannot be undone any more or were never finished; row states remain. */
export async function forgetUploads({ db }: { db: Db }): Promise<void> {
  await db.transaction().execute(async (tx) => {
    const { rows } = await sql<{
      id: number
    }>`update bulk_uploads set forgotten_at = now(), apply_unasked = false, findings = null,
        problem = case when state in ('done', 'undone', 'failed') then problem else ${NOT_FINISHED} end,
        state = case when state in ('done', 'undone') then state else 'failed' end
      where forgotten_at is null and state not in ('applying', 'undoing')
        and coalesce(applied_at, updated_at) < now() - make_interval(days => ${UNDO_DAYS})
      returning id`.execute(tx)
    const ids = rows.map(({ id }) => id)
    await sql`update bulk_rows set cells = '[]', errors = '[]', person = null, person_keys = '{}', matches = '{}',
        cells_hash = null,
        state = case when state in ('added', 'undone', 'kept') then state else 'skipped' end
      where upload = any(${ids}::int[])`.execute(tx)
    await sql`delete from files where entity = ${UPLOADED_FILE} and record = any(${ids}::int[])`.execute(tx)
  })
}
