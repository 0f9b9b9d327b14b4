import { sql } from 'kysely'
import { visibleTo } from '../../access/scope.ts'
import type { Caller } from '../../core/call.ts'
import type { Sql } from '../../core/db.ts'

/** Maximum number of marks of one record. */
const MAX_MARKS = 3

/** The condition that a deadline d belongs to a case or one of its issues. */
export function ofCase(caseId: Sql): Sql {
  return sql`d."case" = ${caseId}`
}

/** The condition that a deadline d belongs to an issue or its case. */
export function ofIssue(issue: Sql, caseId: Sql): Sql {
  return sql`(d."case" = ${caseId} and coalesce(d.issue, ${issue}) = ${issue})`
}

/** The condition that there is a deadline in some state that the caller sees. */
export function hasDeadline(me: Caller, isOfRecord: Sql, state: string): Sql {
  return sql`exists (select from deadlines d where ${isOfRecord} and d.is_open
    and deadline_state(d, current_date) = ${state} and ${visibleTo('deadline', me, 'd')})`
}

/** A JSON list of the deadlines that are late or soon and that the caller sees, as marks: 'Visit 9 days late'. */
export function deadlineMarks(me: Caller, isOfRecord: Sql): Sql {
  return sql`(select coalesce(jsonb_agg(jsonb_build_object('level', m.level, 'label', m.label, 'text', m.text)
      order by m.due, m.id), '[]')
    from (
      select d.id, d.due, d.label, concat(d.label, ' ', ${WORDS}) as text,
        case when d.paused_since is not null then 'info' when deadline_state(d, current_date) = 'soon' then 'warning'
          else 'danger' end as level
      from deadlines d where ${isOfRecord} and d.is_open and deadline_state(d, current_date) in ('late', 'soon')
        and ${visibleTo('deadline', me, 'd')}
      order by d.due, d.id limit ${MAX_MARKS}
    ) m)`
}

/** What DueCell.tsx says of a deadline: days up to two months, then months, from two years on years. */
const WORDS = sql`case
    when d.paused_since is not null then 'paused'
    when d.due = current_date - 1 then '1 day late'
    when d.due < current_date - 730 then floor((current_date - d.due) / 365.25) || ' years late'
    when d.due = current_date - 60 then '1 month late'
    when d.due < current_date - 60 then floor((current_date - d.due) / 30.44) || ' months late'
    when d.due < current_date then current_date - d.due || ' days late'
    when d.due = current_date then 'today'
    when d.due = current_date + 1 then 'tomorrow'
    else concat('in ', d.due - current_date, ' days')
  end`
