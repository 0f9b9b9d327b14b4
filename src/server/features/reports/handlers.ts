import { sql } from 'kysely'
import { STATUS } from '../../../contract/status.ts'
import { visibleTo } from '../../access/scope.ts'
import { anyOf, createdBy } from '../../access/visibleParents.ts'
import type { Call, Handler } from '../../core/call.ts'
import type { Sql } from '../../core/db.ts'
import type { Period } from '../../core/today.ts'
import { today } from '../../core/today.ts'
import { periodOf, reportOf } from '../../records/figures/report.ts'
import { hasAlert } from '../../records/query/alertMarks.ts'
import { conditionsOf } from '../../records/query/query.ts'
import { pageOf } from '../../records/verbs/list.ts'
import { fetch } from '../../records/verbs/read.ts'

/** Cases closed or untouched for OLD_CASE_DAYS. */
export const oldCases: Handler = async (call) => {
  const entity = call.contract.entities.caseRow
  const { OLD_CASE_DAYS, TIME_ZONE } = call.settings
  const old = sql`r.old_since <= ${today(TIME_ZONE)}::date - ${OLD_CASE_DAYS}::int`
  return pageOf(call, entity, [old, sql`r.status = ${sql.lit(STATUS.active)}`, ...conditionsOf(call)])
}

/** The caller's own time by day. */
export const ownTime: Handler = (call) => timeByDay(call, call.me.id)

/** The time of one person by day. */
export const timeOf: Handler = async (call) => {
  const { id } = await fetch(call, call.contract.entities.staff, call.params.id)
  return timeByDay(call, Number(id))
}

function timeByDay(call: Call, staff: number) {
  const period = periodOf(call)
  return reportOf(
    call,
    sql`select d.day::date as date, ${staff}::int as staff, ${TIMES}
      from generate_series(${period.start}::date, ${period.end}::date, '1 day') d(day)
      left join (${work(call, period, sql`= ${staff}`)}) w on w.done_on = d.day
      group by d.day`,
    period,
  )
}

/** The time of each visible person who is at work, or who has left since and did something in the period. */
export const time: Handler = async (call) => {
  const period = periodOf(call)
  return reportOf(
    call,
    sql`select s.id, ${NAME} as name, s.name_key, ${TIMES}
      from staff s left join (${work(call, period, byVisibleStaff(call))}) w on w.created_by = s.id
      where ${visibleTo('staff', call.me, 's')} and (${AT_WORK} or w.created_by is not null)
      group by s.id`,
    period,
  )
}

/** The work of each visible person in a period. */
export const lastWeek: Handler = (call) => {
  const period = periodOf(call)
  const issues = (
    day: 'start_date' | 'close_date',
  ) => sql`(select count(*) from issues i where i.advocate = s.id
    and ${sql.ref(`i.${day}`)} between ${period.start} and ${period.end} and ${visibleTo('issue', call.me, 'i')})`
  return reportOf(
    call,
    sql`select s.id, ${NAME} as name, s.name_key, ${issues('start_date')} as issues_opened, ${issues('close_date')} as issues_closed,
        count(*) filter (where w.is_action) as actions, count(*) filter (where not w.is_action) as activities,
        coalesce(sum(w.time_taken), 0) as time_taken
      from staff s left join (${work(call, period, byStaffOfReport(call))}) w on w.created_by = s.id
      where ${visibleTo('staffOfReport', call.me, 's')} and (${AT_WORK} or w.created_by is not null)
      group by s.id`,
    period,
  )
}

/** The workload of each visible person. */
export const allStaff: Handler = (call) => {
  const now = today(call.settings.TIME_ZONE)
  return reportOf(
    call,
    sql`select s.id, ${NAME} as name, s.name_key, s.groups, count(i.id) as open_issues,
        count(i.id) filter (where k.is_urgent = 'yes') as urgent_issues,
        count(i.id) filter (where i.next_due < ${now}::date) as overdue_steps,
        (select max(d.done_on) from actions d where d.created_by = s.id and d.error_reason is null
          and ${anyOf([createdBy(call.me, 'd'), visibleTo('action', call.me, 'd')])}) as last_action
      from staff s
      left join issues i on i.advocate = s.id and i.is_opened and i.status = ${sql.lit(STATUS.active)}
        and ${visibleTo('issue', call.me, 'i')}
      left join cases k on k.id = i."case"
      where ${visibleTo('staff', call.me, 's')} and (${AT_WORK} or i.id is not null)
      group by s.id`,
  )
}

/** Days without contact after which a manager should look at an issue. */
const QUIET_DAYS = 28

/** The people of the caller's team or hub: what each has to do, and what nobody has touched. */
export const team: Handler = (call) => {
  const now = today(call.settings.TIME_ZONE)
  const month = { start: `${now.slice(0, 8)}01`, end: now }
  return reportOf(
    call,
    sql`select s.id, ${NAME} as name, s.name_key, count(i.id) as open_issues,
        count(i.id) filter (where k.is_urgent = 'yes') as urgent_issues,
        count(i.id) filter (where i.next_due < ${now}::date) as overdue_steps,
        count(i.id) filter (where coalesce(i.last_contact, i.start_date) <= ${now}::date - ${sql.lit(QUIET_DAYS)}) as quiet_issues,
        count(i.id) filter (where ${hasAlert(call.me, sql`i.client`)}) as alerted_issues,
        coalesce(e.soon, 0) as deadlines_soon, coalesce(e.late, 0) as deadlines_late,
        (select coalesce(sum(w.time_taken), 0) from (${work(call, month, sql`= s.id`)}) w) as hours,
        ${awayWords(sql`count(i.id)`)} as leave
      from staff s
      left join issues i on i.advocate = s.id and i.is_opened and i.status = ${sql.lit(STATUS.active)}
        and ${visibleTo('issue', call.me, 'i')}
      left join cases k on k.id = i."case"
      left join (
        select d.advocate, count(*) filter (where d.deadline_state = 'soon') as soon,
          count(*) filter (where d.deadline_state = 'late') as late
        -- Soon or late; asked for by their states, PostgreSQL would expect few and look each issue up.
        from deadline_record d where d.is_open and d.deadline_state <> 'due' and ${visibleTo('deadline', call.me, 'd')}
        group by d.advocate
      ) e on e.advocate = s.id
      where ${visibleTo('staff', call.me, 's')} and (${AT_WORK} or i.id is not null or e.advocate is not null)
      group by s.id, e.soon, e.late, e.advocate`,
  )
}

/** Whether somebody is away, until when, and who covers; that nobody does if they have open issues. */
function awayWords(openIssues: Sql): Sql {
  const cover = sql`(select nullif(trim(c.first_name || ' ' || c.last_name), '') from staff c
    where c.id = s.covered_by and c.status = ${sql.lit(STATUS.active)})`
  return sql`case when s.status = ${sql.lit(STATUS.suspended)} then 'suspended' when not is_employed(s.status) then 'has left'
    else leave_words(s.status, s.leave_from, s.leave_to, ${cover})
      || case when s.status = ${sql.lit(STATUS.onLeave)} and ${openIssues} > 0 and ${cover} is null then ', nobody covers' else '' end end`
}

const NAME = sql`trim(s.first_name || ' ' || s.last_name)`
const AT_WORK = sql`is_employed(s.status) and is_caseworker(s.groups)`
const TIMES = sql`coalesce(sum(w.time_taken) filter (where w.is_action), 0) as cases,
  coalesce(sum(w.time_taken) filter (where not w.is_action), 0) as activities, coalesce(sum(w.time_taken), 0) as total`

const byVisibleStaff = ({ me }: Call) =>
  sql`in (select m.id from staff m where ${visibleTo('staff', me, 'm')})`

const byStaffOfReport = ({ me }: Call) =>
  sql`in (select m.id from staff m where ${visibleTo('staffOfReport', me, 'm')})`

/**
 * A query for the actions and activities of a period that are visible or the caller's own; `staff` is a condition on
 * the id of their creator.
 */
function work({ me }: Call, { start, end }: Period, staff: Sql): Sql {
  const done = (scope: 'action' | 'activity', table: 'actions' | 'activities', counts: Sql) => sql`
    select d.created_by, d.done_on, d.time_taken, ${sql.lit(scope === 'action')} as is_action from ${sql.table(table)} d
    where ${counts} and d.created_by ${staff} and d.done_on between ${start} and ${end}
      and ${anyOf([createdBy(me, 'd'), visibleTo(scope, me, 'd')])}`
  return sql`${done('action', 'actions', sql`d.error_reason is null`)} union all ${done('activity', 'activities', sql`true`)}`
}
