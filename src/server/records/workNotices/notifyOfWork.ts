import { sql } from 'kysely'
import type { Db } from '../../core/db.ts'
import { queueMails } from './queueMails.ts'

/**
 * Notifies people of new work in the transaction of the change; `to` are pairs of a record id and a staff id. An older notice of the
 * same record becomes unread again. The person who caused it, `by` (null for a job), gets no notice.
 */
export async function notifyOfWork(
  db: Db,
  {
    kind,
    by,
    to,
  }: {
    kind: 'issue' | 'referral' | 'upload' | 'task' | 'client'
    by: number | null
    to: Iterable<readonly [number, number]>
  },
): Promise<void> {
  const record = sql.ref(kind)
  const pairs = [...to]
  const { rows } = await sql<{ id: number }>`insert into work_notices (staff, ${record}, created_by)
    select w.staff, w.record, ${by}::int from unnest(${pairs.map(([, staff]) => staff)}::int[], ${pairs.map(([id]) => id)}::int[]) as w(staff, record)
    where w.staff is distinct from ${by}::int order by w.staff, w.record
    on conflict (staff, ${record}) where ${record} is not null do update
      set created_at = now(), read_at = null, created_by = excluded.created_by, version = work_notices.version + 1
    returning id`.execute(db)
  await queueMails(
    db,
    rows.map(({ id }) => id),
  )
}
