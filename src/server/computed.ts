import { sql } from 'kysely'
import { STATUS } from '../contract/status.ts'
import type { Sql } from './db.ts'
import { visibleTo } from './scope.ts'
import type { Caller } from './signIn/session.ts'

type Computed = (me: Caller, row: string) => Sql

const IS_OPEN = sql`(k.open_issues > 0 or k.issue_count = 0)`
const IS_CLOSED = sql`(k.open_issues = 0 and k.issue_count > 0)`

/** Properties without a column, by entity and name: SQL for a row of this alias, as this person sees it. */
export const COMPUTED: Record<string, Record<string, Computed>> = {
  client: {
    open_cases: (me, row) => casesOf(me, row, IS_OPEN),
    closed_cases: (me, row) => casesOf(me, row, IS_CLOSED),
  },
  clientRow: {
    open_case_count: (me, row) => sql`(select count(*) from ${visibleCases(me, row, IS_OPEN)})`,
  },
  issue: { notice: noticeOf('issue') },
  bulkUpload: { notice: noticeOf('upload') },
  referralRequest: {
    notice: noticeOf('referral'),
    // Somebody of no hub stands in for the receiving one.
    is_received: ({ hub }, row) => sql`(${hub}::int is null or ${hub} = ${sql.ref(`${row}.hub`)})`,
    is_mine: ({ id }, row) => sql`coalesce(${sql.ref(`${row}.taken_by`)} = ${id}, false)`,
  },
  referralMessage: {
    is_unread: ({ hub }, row) =>
      sql`(${sql.ref(`${row}.unread_by`)} is not null and (${hub}::int is null or ${hub} = ${sql.ref(`${row}.unread_by`)}))`,
  },
}

/** The unread notice that a person has of a record, by the column that holds its id. */
function noticeOf(column: 'issue' | 'referral' | 'upload'): Computed {
  return ({ id }, row) => sql`(select n.id from work_notices n where n.staff = ${id}
    and ${sql.ref(`n.${column}`)} = ${sql.ref(`${row}.id`)} and n.read_at is null)`
}

/** The active cases of a client that the person may see as a JSON list, newest first; they start with their first issue. */
function casesOf(me: Caller, row: string, state: Sql): Sql {
  return sql`(select coalesce(json_agg(json_build_object('id', k.id, 'case_type_label', t.label, 'service_label', s.label,
      'status', k.status, 'start_date', (select min(i.start_date) from issues i where i."case" = k.id)) order by k.id desc), '[]')
    from ${visibleCases(
      me,
      row,
      state,
      sql`join case_types t on t.id = k.case_type
      left join lookup s on s.kind = 'services' and s.value = k.service`,
    )})`
}

function visibleCases(me: Caller, row: string, state: Sql, joins = sql``): Sql {
  return sql`cases k ${joins} where k.client = ${sql.ref(`${row}.id`)} and k.status = ${sql.lit(STATUS.active)}
    and ${state} and ${visibleTo('case', me, 'k')}`
}
