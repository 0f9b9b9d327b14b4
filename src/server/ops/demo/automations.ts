import { sql } from 'kysely'
import type { Tx } from '../../core/db.ts'

/** User names of the members of the group 'Safeguarding leads'. */
const SAFEGUARDING_LEADS = ['manager', 'hubmanager', 'tamsin.fitzgerald']

/** Number of newest open issues of each person, and of newest concerns, whose automations plan steps and notify. */
const NEWEST_EACH = 1
const NEWEST_CONCERNS = 8

/** Days over which these are spread, before today. */
const RECENT_DAYS = 4

/** Days after which a late deadline is excused as one from before, and days since that was done. */
const OLD_DAYS = 40
const EXCUSED_DAYS = 20

export async function addGroupMembers(tx: Tx): Promise<void> {
  await sql`update lookup set attrs = attrs || jsonb_build_object('members', (
      select coalesce(jsonb_agg(id order by id), '[]') from staff where username = any(${SAFEGUARDING_LEADS})))
    where kind = 'staff_groups' and attrs ->> 'code' = 'safeguarding_leads'`.execute(tx)
}

/** Ids of the cases whose automations plan steps and notify. */
export async function recentCases(tx: Tx): Promise<Set<number>> {
  const open = sql`i.is_opened and i.status = 1 and i.advocate is not null`
  const { rows } = await sql<{ id: number }>`select i."case" as id from (
      select "case", row_number() over (partition by advocate order by start_date desc, id desc) as rank
      from issues i where ${open}
    ) i where i.rank <= ${NEWEST_EACH}
    union
    (select "case" from issues i where ${open} and answers ->> 'sfg_concern' = 'yes'
        and coalesce(nullif(answers ->> 'sfg_ooc', '[]'), '') = ''
      order by start_date desc, id desc limit ${NEWEST_CONCERNS})`.execute(tx)
  return new Set(rows.map(({ id }) => id))
}

/**
 * Excuses the deadlines from before the service counted them, and returns the ids of their cases, whose deadlines
 * continue from then. `today` is YYYY-MM-DD.
 */
export async function excuseOldDeadlines(tx: Tx, today: string): Promise<number[]> {
  const { rows } = await sql<{ case: number }>`with excused as (
      update deadlines d set excused_on = ${today}::date - ${EXCUSED_DAYS}::int,
        excused_reason = 'Due before deadlines were counted', excused_by = (select min(id) from staff where username = 'manager')
      where d.is_open and d.due < ${today}::date - ${OLD_DAYS}::int returning d."case"
    )
    select distinct "case" from excused order by "case"`.execute(tx)
  return rows.map((row) => row.case)
}

/**
 * Dates states by the last change of their record, and those with events, with their steps and notices, within the last
 * days. No mails of the demo are sent. `today` is YYYY-MM-DD.
 */
export async function dateStates(tx: Tx, today: string): Promise<void> {
  await sql`update automation_states s set since = least(coalesce(
      (select i.updated_at from issues i where i.id = s.issue), (select k.updated_at from cases k where k.id = s."case")),
      ${today}::date - interval '1 day')`.execute(tx)
  await sql`update automation_events e set at = ${today}::date - (e.id % ${RECENT_DAYS}) + time '07:50' + e.id % 7 * interval '9 minutes'`.execute(
    tx,
  )
  await sql`update automation_states s set since = e.at from automation_events e
    where e.case_type = s.case_type and e.name = s.name and e."case" = s."case" and e.issue is not distinct from s.issue`.execute(
    tx,
  )
  await sql`update work_notices n set created_at = e.at, created_by = coalesce(
      (select i.advocate from issues i where i.id = e.issue), (select k.created_by from cases k where k.id = e."case"))
    from automation_events e where e.id = n.event`.execute(tx)
  await sql`update automation_events e set by = coalesce(
      (select i.advocate from issues i where i.id = e.issue), (select k.created_by from cases k where k.id = e."case"))`.execute(
    tx,
  )
  await sql`update tasks t set created_at = e.at, updated_at = e.at, "case" = e."case"
    from automation_events e where e.id = t.event`.execute(tx)
  await sql`delete from mail_outbox`.execute(tx)
}
