import { sql } from 'kysely'
import { ROLE } from '../../../contract/roles.ts'
import { REFERRAL_STATUS, STATUS } from '../../../contract/status.ts'
import { seesAlertedRecord } from '../../access/alertedRecord.ts'
import { visibleTo } from '../../access/scope.ts'
import type { Call, Caller, Handler } from '../../core/call.ts'
import type { Row, Sql } from '../../core/db.ts'
import { singlePage } from '../../core/singlePage.ts'

/** Maximum number of lines of each kind, the longest waiting first. */
const MAX_LINES = 25

/** Lines of each kind that come before the further ones of any kind. */
const FIRST_OF_KIND = 2

/** What waits for the manager of a team: each line has a name that leads to it, a sentence, and what can be done. */
export const list: Handler = async (call) => {
  const kinds = [uncovered, gone, held, orphaned, asked, ...(decidesReferrals(call.me) ? [referrals] : [])]
  const queries = kinds.map(
    (kind, rank) => sql`(select ${sql.lit(rank)} as rank,
        row_number() over (order by n.since nulls last, n.id) > ${sql.lit(FIRST_OF_KIND)} as is_later, n.*
      from (select f.* from (${kind(call)}) f order by f.since nulls last, f.id limit ${sql.lit(MAX_LINES)}) n)`,
  )
  const { rows } = await sql<Row>`with late as materialized (${lateDeadlines(call)})
    select n.id, n.kind, n.level, n.name, n.text, n.page, n.button, n."to"
    from (${sql.join(queries, sql` union all `)}) n order by n.is_later, n.rank, n.since nulls last, n.id`.execute(
    call.db,
  )
  return singlePage(rows)
}

/** The late deadlines that the caller sees, with who is to meet them. */
function lateDeadlines({ me }: Call): Sql {
  // An open one is due, soon or late; asked for by its state, PostgreSQL would expect few and look each issue up.
  return sql`select d.id, d.due, d.advocate from deadline_record d
    where d.is_open and d.deadline_state not in ('due', 'soon') and ${visibleTo('deadline', me, 'd')}`
}

function decidesReferrals({ groups }: Caller): boolean {
  return groups.includes(ROLE.hubManager)
}

const nameOf = (alias: string) =>
  sql`nullif(trim(${sql.ref(`${alias}.first_name`)} || ' ' || ${sql.ref(`${alias}.last_name`)}), '')`
/** '26 March', with the year if it is another one. */
const day = (date: Sql) =>
  sql`to_char(${date}, case when date_trunc('year', ${date}) = date_trunc('year', now()) then 'FMDD FMMonth' else 'FMDD FMMonth YYYY' end)`

/** '1 open issue', '14 open issues'. */
function counted(n: Sql, one: string, many: string): Sql {
  return sql`case when ${n} = 1 then '1 ' || ${one}::text else ${n} || ' ' || ${many}::text end`
}

/** The condition that somebody works here, although they may be away. */
const worksHere = (alias: string) => sql`coalesce(is_employed(${sql.ref(`${alias}.status`)}), false)`

/** Why somebody does not work here: ' is suspended'. */
const whyGone = (alias: string) =>
  sql`case ${sql.ref(`${alias}.status`)} when ${sql.lit(STATUS.suspended)} then ' is suspended' else ' no longer works here' end`

/** People who are away with open issues that nobody covers. */
function uncovered({ me }: Call): Sql {
  return sql`select 'away ' || s.id as id, 'No cover' as kind, 'danger' as level, ${nameOf('s')} as name,
      concat(' is away', ' until ' || ${day(sql`s.leave_to`)}, '. Nobody covers ', ${counted(sql`w.issues`, 'open issue', 'open issues')},
        case when w.late > 0 then '; ' || ${counted(sql`w.late`, 'deadline is late', 'deadlines are late')} end, '.') as text,
      '/dashboard/team/' || s.id || '?state=open' as page, 'Choose cover' as button, '/advocate/' || s.id || '/leave' as "to",
      s.leave_from as since
    from staff s
    left join staff c on c.id = s.covered_by
    cross join lateral (
      select count(*) as issues, (select count(*) from late d where d.advocate = s.id) as late
      from issues i where i.advocate = s.id and i.is_opened and i.status = ${sql.lit(STATUS.active)}
        and ${visibleTo('issue', me, 'i')}
    ) w
    where s.status = ${sql.lit(STATUS.onLeave)} and c.status is distinct from ${sql.lit(STATUS.active)} and w.issues > 0 and ${visibleTo('staff', me, 's')}`
}

/** People who were suspended or have left, with open issues. */
function gone({ me }: Call): Sql {
  return sql`select 'gone ' || s.id as id, 'No cover' as kind, 'danger' as level, ${nameOf('s')} as name,
      concat(${whyGone('s')}, ', with ', ${counted(sql`w.issues`, 'open issue', 'open issues')}, '.') as text,
      '/dashboard/team/' || s.id || '?state=open' as page, 'Hand over' as button,
      '/advocate/' || s.id || '/hand-over' as "to", null::date as since
    from staff s
    cross join lateral (
      select count(*) as issues from issues i where i.advocate = s.id and i.is_opened
        and i.status = ${sql.lit(STATUS.active)} and ${visibleTo('issue', me, 'i')}
    ) w
    where not ${worksHere('s')} and w.issues > 0 and ${visibleTo('staff', me, 's')}`
}

/** What holds a record, such as a concern, until what it asks for is done. */
function held({ me }: Call): Sql {
  return sql`select 'state ' || s.id as id, 'Held' as kind, coalesce(s.level, 'warning') as level,
      c.first_name || ' ' || c.last_name as name,
      concat(': ', coalesce(s.text, s.label), ', since ', ${day(sql`s.since`)}, '. Advocate: ' || ${nameOf('a')} || '.') as text,
      '/clients/' || s.client || '/info' as page,
      case when s.issue is null then 'Open case' else 'Open issue' end as button,
      '/cases/' || s."case" || coalesce('/issues/' || s.issue, '') || '/details' as "to", s.since::date as since
    from (
      select s.* from automation_states s
      where ${seesAlertedRecord(me, 's')} and s.id in (select h.state from automation_holds h)
        and exists (select from cases k where k.id = s."case" and k.status = ${sql.lit(STATUS.active)})
        and not exists (select from issues r where r.id = s.issue and r.status <> ${sql.lit(STATUS.active)})
      order by s.since, s.id limit ${sql.lit(MAX_LINES)}
    ) s
    join clients c on c.id = s.client
    left join issues i on i.id = s.issue
    left join staff a on a.id = i.advocate`
}

/** Late deadlines of work that nobody has, because it is unassigned or its advocate has left. */
function orphaned(): Sql {
  return sql`select 'deadline ' || d.id as id, 'Late' as kind, 'danger' as level, d.client_name as name,
      concat(': ', d.title, ' ', ${day(sql`d.due`)}, ', and ',
        coalesce(${nameOf('a')} || ${whyGone('a')} || '.', 'nobody has the issue.')) as text,
      '/cases/' || d."case" || coalesce('/issues/' || d.issue, '') || '/details' as page,
      case when a.id is null then 'Assign' else 'Hand over' end as button,
      case when a.id is null then '/dashboard/allocations-required' else '/advocate/' || a.id || '/hand-over' end as "to",
      d.due as since
    from deadline_record d left join staff a on a.id = d.advocate
    where d.id = any(array(
      select l.id from late l left join staff a on a.id = l.advocate where not ${worksHere('a')}
      order by l.due, l.id limit ${sql.lit(MAX_LINES)}
    ))`
}

/** Deadlines that somebody asks to excuse. */
function asked({ me }: Call): Sql {
  return sql`select 'excuse ' || d.id as id, 'Excuse' as kind, 'warning' as level, d.client_name as name,
      concat(': ', coalesce(d.excuse_asked_by_name, 'Somebody'), ' asks to excuse ', d.title, ' ', ${day(sql`d.due`)}, ': ',
        d.excuse_asked_note) as text,
      '/cases/' || d."case" || coalesce('/issues/' || d.issue, '') || '/details' as page, 'Decide' as button,
      '/dashboard/deadlines?asked=true&open=true' as "to", d.excuse_asked_on as since
    from deadline_record d
    where d.is_open and d.excuse_asked_on is not null and ${visibleTo('deadline', me, 'd')}`
}

/** Referrals that nobody has decided, as one line, once hub managers are notified of the oldest. */
function referrals({ me, contract }: Call): Sql {
  const { automations = [] } = contract.entities.referralRequest
  const days = automations.find(({ waits }) => waits)?.waits?.days ?? 0
  return sql`select 'referrals' as id, 'Referrals' as kind, 'warning' as level,
      ${counted(sql`q.waiting`, 'referral', 'referrals')} as name,
      concat(case when q.waiting = 1 then ' waits' else ' wait' end, ' to be decided, the oldest since ', ${day(sql`q.since`)}, '.') as text,
      '/dashboard/referral-requests?status=${sql.raw(String(REFERRAL_STATUS.new))}' as page, 'Decide' as button,
      '/dashboard/referral-requests?status=${sql.raw(String(REFERRAL_STATUS.new))}' as "to", q.since
    from (
      select count(*) as waiting, min(r.created_at)::date as since from referral_requests r
      where r.status = ${sql.lit(REFERRAL_STATUS.new)} and ${visibleTo('receivedReferral', me, 'r')}
    ) q where q.since <= current_date - ${sql.lit(days)}`
}
