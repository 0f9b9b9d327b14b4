import { sql } from 'kysely'
import type { Db } from '../../core/db.ts'

/** Attempts within about three hours; afterwards the mail stays unsent, with its last error. */
export const MAX_MAIL_ATTEMPTS = 10

/**
 * Queues mails of new notices in the transaction of their change, for those that are urgent or whose receivers chose
 * it. A mail leads to all that is new, so a person for whom one waits already gets no other, unless this one is urgent.
 */
export async function queueMails(db: Db, notices: number[]): Promise<void> {
  if (notices.length === 0) return
  await sql`insert into mail_outbox (notice)
    select distinct on (n.staff) n.id from work_notices n join staff p on p.id = n.staff and p.email is not null
    where n.id = any(${notices}::int[])
      and (n.urgent or 'mail' = case when n.issue is not null then p.notify_issue when n.task is not null then p.notify_task
        when n.referral is not null then p.notify_referral when n.upload is not null then p.notify_upload
        when n.client is not null then p.notify_client when n.field_comment is not null then p.notify_comment
        else p.notify_automation end)
      and not exists (select from mail_outbox o join work_notices w on w.id = o.notice
        where w.staff = n.staff and o.worker is null and o.attempts = 0 and (w.urgent or not n.urgent))
    order by n.staff, n.urgent desc, n.id
    on conflict (notice) do update set attempts = 0, run_at = now() where mail_outbox.worker is null`.execute(
    db,
  )
}
