import { sql } from 'kysely'
import { ROLE } from '../../../contract/roles.ts'
import type { Tx } from '../../core/db.ts'
import type { Casework } from './casework.ts'

/** Due days of people's own tasks, from today: some in each group of a worklist. */
const OWN_TASKS = [-3, 0, 1, 3, 12]
/** Due days, from today, of managers' reviews of issues of their people. */
const REVIEWS = [0, 4, 9]
const MANAGERS = [ROLE.advocateManager, ROLE.hubManager, ROLE.partnerManager]

/**
 * Adds the tasks: next steps of actions, people's own tasks, and managers' reviews of issues of their people. `today`
 * is YYYY-MM-DD.
 */
export async function addTasks(tx: Tx, casework: Casework, today: string): Promise<void> {
  // Triggers may have inserted next steps with the present time: insert all with the times of their actions.
  await sql`delete from tasks`.execute(tx)
  await sql`select setval(pg_get_serial_sequence('tasks', 'id'), 1, false)`.execute(tx)
  await sql`insert into tasks (title, due, assignee, created_by, issue, "case", client, action, done_at, created_at, updated_at)
    select coalesce(a.next_step, 'Next step'), a.next_due, case when a.issue is null then a.created_by else i.advocate end,
      a.created_by, a.issue, a."case", a.client, a.id, a.next_done_on + time '12:00', a.created_at, a.updated_at
    from actions a left join issues i on i.id = a.issue where a.next_due is not null order by a.id`.execute(
    tx,
  )
  await sql`insert into tasks (title, due, assignee, created_by, created_at, updated_at)
    select (${casework.tasks}::text[])[1 + (s.id + o.n) % ${casework.tasks.length}::int], ${today}::date + o.days, s.id, s.id,
      ${today}::date - 8 + time '09:20', ${today}::date - 8 + time '09:20'
    from staff s cross join unnest(${OWN_TASKS}::int[]) with ordinality o(days, n)
    where s.status = 1 and (s.groups && ${[...MANAGERS, ROLE.hub]}::int[] or o.days in (0, 3, 12))
      and not s.groups && ${[ROLE.commissionerAdvocate]}::int[]
    order by s.id, o.n`.execute(tx)
  await sql`insert into tasks (title, due, assignee, created_by, issue, "case", client, created_at, updated_at)
    select 'Read the file before supervision', ${today}::date + o.days, s.id, s.id, i.id, i."case", i.client,
      ${today}::date - 2 + time '15:10', ${today}::date - 2 + time '15:10'
    from staff s cross join unnest(${REVIEWS}::int[]) with ordinality o(days, n)
    join lateral (
      select i.id, i."case", i.client from issues i join staff a on a.id = i.advocate
      where a.line_manager = s.id and i.is_opened and i.status = 1 order by i.start_date, i.id offset o.n limit 1
    ) i on true
    where s.status = 1 and s.groups && ${MANAGERS}::int[] order by s.id, o.n`.execute(tx)
}

/** Stores the next steps of issues as triggers would. */
export async function storeNextSteps(tx: Tx): Promise<void> {
  await sql`update issues i set next_task = n.id, next_step = n.title, next_due = n.due
    from (select distinct on (issue) issue, id, title, due from tasks where issue is not null and done_at is null
      order by issue, due, id) n
    where n.issue = i.id`.execute(tx)
}
