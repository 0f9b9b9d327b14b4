import { sql } from 'kysely'
import type { Db } from '../../core/db.ts'
import { queueMails } from './queueMails.ts'

/** One notice of a receiver: of all events of an automation that belong together, as those of a `batch` do. */
export interface Notice {
  staff: number
  batch: string
  text: string
  urgent: boolean
  events: number[]
}

/** Stores notices of people who work here; of a batch that was stored before, it adds the events. */
export async function storeNotices(db: Db, notices: Notice[], by: number | null): Promise<void> {
  if (notices.length === 0) return
  const { rows } = await sql<{ id: number }>`with notices as (
      select * from jsonb_to_recordset(${JSON.stringify(notices)}::jsonb)
        as g(staff int, batch text, text text, urgent boolean, events int[])
    ), stored as (
      insert into work_notices (staff, event, created_by, text, urgent, batch)
      select n.staff, n.events[1], ${by}::int, n.text, n.urgent, n.batch from notices n
      join staff p on p.id = n.staff and is_employed(p.status) order by n.staff, n.batch
      on conflict (staff, batch) where batch is not null do update
        set created_at = now(), read_at = null, version = work_notices.version + 1
      returning id, staff, batch, xmax = 0 as is_new
    ), linked as (
      insert into work_notice_events (notice, event)
      select s.id, e.event from stored s join notices g on g.staff = s.staff and g.batch = s.batch
      cross join lateral unnest(g.events) as e(event) on conflict do nothing
    )
    select id from stored where is_new`.execute(db)
  await queueMails(
    db,
    rows.map(({ id }) => id),
  )
}
