import { sql } from 'kysely'
import { ROLE } from '../contract/roles.ts'
import { STATUS } from '../contract/status.ts'
import type { Sql } from './db.ts'
import { visibleTo } from './scope.ts'
import type { Caller } from './signIn/session.ts'

type Computed = (me: Caller, row: string) => Sql

const IS_OPEN = sql`(k.open_issues > 0 or k.issue_count = 0)`
const IS_CLOSED = sql`(k.open_issues = 0 and k.issue_count > 0)`
const IS_OPEN_ISSUE = sql`i.is_opened and i.status = ${sql.lit(STATUS.active)}`

/** Properties that are not plainly a column, by entity and name: SQL for a row of this alias, as this person sees it. */
export const COMPUTED: Record<string, Record<string, Computed>> = {
  case: {
    open_issues: (me, row) => ofIssues(me, row, sql`count(*)::int`, IS_OPEN_ISSUE),
    issue_count: (me, row) => ofIssues(me, row, sql`count(*)::int`),
    open_tasks: openTasksOf('case'),
    advocate_name: (me, row) =>
      sql`(select string_agg(distinct nullif(trim(s.first_name || ' ' || s.last_name), ''), ', ')
        from issues i join staff s on s.id = i.advocate where ${visibleIssues(me, row)} and ${IS_OPEN_ISSUE})`,
    last_contact: (me, row) => ofIssues(me, row, sql`max(coalesce(i.last_contact, i.start_date))`),
    next_task: (me, row) => nextOf(me, row, 'next_task'),
    next_step: (me, row) => nextOf(me, row, 'next_step'),
    next_due: (me, row) => nextOf(me, row, 'next_due'),
  },
  caseType: {
    // Whoever fills a form in has no use for its tests, which can be many times as large.
    tests: ({ groups }, row) =>
      groups.includes(ROLE.systemAdministrator) ? sql.ref(`${row}.tests`) : sql`null::jsonb`,
  },
  client: {
    open_cases: (me, row) => casesOf(me, row, IS_OPEN),
    closed_cases: (me, row) => casesOf(me, row, IS_CLOSED),
    open_tasks: openTasksOf('client'),
  },
  clientRow: {
    open_case_count: (me, row) => sql`(select count(*) from ${visibleCases(me, row, IS_OPEN)})`,
  },
  issue: { notice: noticeOf('issue'), open_tasks: openTasksOf('issue') },
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

/** How many tasks of a record the person sees and nobody has done. */
function openTasksOf(column: 'case' | 'client' | 'issue'): Computed {
  return (
    me,
    row,
  ) => sql`(select count(*)::int from tasks t where t.${sql.ref(column)} = ${sql.ref(`${row}.id`)}
    and t.done_at is null and ${visibleTo('task', me, 't')})`
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

/** Of the issues of a case that the person may see: what else is done on it is not told. */
function ofIssues(me: Caller, row: string, value: Sql, state = sql`true`): Sql {
  return sql`(select ${value} from issues i where ${visibleIssues(me, row)} and ${state})`
}

/** Of the open issue whose next step is due first. */
function nextOf(me: Caller, row: string, column: 'next_task' | 'next_step' | 'next_due'): Sql {
  return sql`(select ${sql.ref(`i.${column}`)} from issues i where ${visibleIssues(me, row)} and ${IS_OPEN_ISSUE}
    and i.next_due is not null order by i.next_due, i.id limit 1)`
}

function visibleIssues(me: Caller, row: string): Sql {
  return sql`i."case" = ${sql.ref(`${row}.id`)} and ${visibleTo('issue', me, 'i')}`
}

function visibleCases(me: Caller, row: string, state: Sql, joins = sql``): Sql {
  return sql`cases k ${joins} where k.client = ${sql.ref(`${row}.id`)} and k.status = ${sql.lit(STATUS.active)}
    and ${state} and ${visibleTo('case', me, 'k')}`
}
