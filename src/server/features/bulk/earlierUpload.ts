import { sql } from 'kysely'
import { visibleTo } from '../../access/scope.ts'
import type { Db } from '../../core/db.ts'
import { formatMoment } from '../../records/audit/formatValue.ts'
import { type BulkContext, callAs } from './jobCall.ts'
import type { EarlierUpload } from './questions.ts'
import type { Upload } from './upload.ts'

/**
 * The upload of the same file, or that with most of its rows, among those that the person may see; undone and failed
 * ones do not count. Marks the rows that are there.
 */
export async function findEarlierUpload(
  context: Pick<BulkContext, 'contract' | 'settings'>,
  db: Db,
  upload: Upload,
  hash: string,
  total: number,
): Promise<EarlierUpload | null> {
  const call = await callAs(context, db, upload.acting, `bulk-${upload.id}`)
  if (!call) return null
  const counts = sql`u.id <> ${upload.id} and u.state not in ('failed', 'undone') and ${visibleTo('bulkUpload', call.me, 'u')}`
  // A wrong row was not added, and a file with some is often uploaded again as a whole.
  const { rows } = await sql<Omit<EarlierUpload, 'on'> & { at: Date; forgotten: boolean }>`
    with known as (
      select r.upload, count(distinct n.id)::int as rows from bulk_rows n join bulk_rows r on r.cells_hash = n.cells_hash
      where n.upload = ${upload.id} and r.upload <> ${upload.id} and r.state in ('waiting', 'duplicate', 'ready', 'added', 'kept')
      group by r.upload having count(distinct n.id) * 2 > ${total}::int
    )
    select u.id, u.name, trim(s.first_name || ' ' || s.last_name) as by, u.created_at as at,
      u.forgotten_at is not null as forgotten,
      case when u.content_hash = ${hash} then ${total}::int else k.rows end as rows
    from bulk_uploads u join staff s on s.id = u.created_by left join known k on k.upload = u.id
    where ${counts} and (u.content_hash = ${hash} or k.rows > 0)
    order by (u.content_hash = ${hash}) is true desc, k.rows desc nulls last, u.id desc limit 1`.execute(db)
  if (!rows[0]) return null
  const { at, forgotten, ...found } = rows[0]
  const isSame = sql`exists (select from bulk_rows r where r.upload = ${found.id} and r.cells_hash = n.cells_hash
    and r.state in ('waiting', 'duplicate', 'ready', 'added', 'kept'))`
  await sql`update bulk_rows n set uploaded_before = true
    where n.upload = ${upload.id} and (${forgotten} or ${isSame})`.execute(db)
  return { ...found, on: formatMoment(at.toISOString(), context.settings.TIME_ZONE).split(',')[0] }
}
