import { sql } from 'kysely'
import { STATUS } from '../../../contract/status.ts'
import { visibleTo } from '../../access/scope.ts'
import type { Caller } from '../../core/call.ts'
import type { Sql } from '../../core/db.ts'

export const IS_OPEN = sql`(k.open_issues > 0 or k.issue_count = 0)`
export const IS_CLOSED = sql`(k.open_issues = 0 and k.issue_count > 0)`
export const IS_OPEN_ISSUE = sql`i.is_opened and i.status = ${sql.lit(STATUS.active)}`

/** An aggregate over the issues of a case that the caller may see, so that it reveals nothing about the others. */
export function ofIssues(me: Caller, row: string, value: Sql, state = sql`true`): Sql {
  return sql`(select ${value} from issues i where ${visibleIssues(me, row)} and ${state})`
}

/** The names of the advocates of a case's open issues. */
export function advocatesOf(me: Caller, row: string): Sql {
  return sql`(select string_agg(distinct nullif(trim(s.first_name || ' ' || s.last_name), ''), ', ')
    from issues i join staff s on s.id = i.advocate where ${visibleIssues(me, row)} and ${IS_OPEN_ISSUE})`
}

/** A column of the open issue whose next step is due first. */
export function nextOf(me: Caller, row: string, column: 'next_task' | 'next_step' | 'next_due'): Sql {
  return sql`(select ${sql.ref(`i.${column}`)} from issues i where ${visibleIssues(me, row)} and ${IS_OPEN_ISSUE}
    and i.next_due is not null order by i.next_due, i.id limit 1)`
}

/** JSON list of a client's active cases that the caller may see, newest first; a case starts with its first issue. */
export function casesOf(me: Caller, row: string, state: Sql): Sql {
  return sql`(select coalesce(json_agg(json_build_object('id', k.id, 'case_type_label', t.label, 'service_label', s.label,
      'status', k.status, 'start_date', (select min(i.start_date) from issues i where i."case" = k.id and ${visibleTo('issue', me, 'i')})) order by k.id desc), '[]')
    from ${visibleCases(
      me,
      row,
      state,
      sql`join case_types t on t.id = k.case_type
      left join lookup s on s.kind = 'services' and s.value = k.service`,
    )})`
}

function visibleIssues(me: Caller, row: string): Sql {
  return sql`i."case" = ${sql.ref(`${row}.id`)} and ${visibleTo('issue', me, 'i')}`
}

export function visibleCases(me: Caller, row: string, state: Sql, joins = sql``): Sql {
  return sql`cases k ${joins} where k.client = ${sql.ref(`${row}.id`)} and k.status = ${sql.lit(STATUS.active)}
    and ${state} and ${visibleTo('case', me, 'k')}`
}
