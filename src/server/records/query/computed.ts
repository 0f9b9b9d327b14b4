import { sql } from 'kysely'
import type { Entity } from '../../../contract/generated.ts'
import type { MetaName } from '../../../contract/meta/metaTypes.ts'
import { ROLE } from '../../../contract/roles.ts'
import { STATUS } from '../../../contract/status.ts'
import { seesAlertedRecord } from '../../access/alertedRecord.ts'
import { MAY_PURGE } from '../../access/purgeable.ts'
import { below, createdBy, dealsWithReferrals, seesOwnOnly, visibleTo } from '../../access/scope.ts'
import type { Caller } from '../../core/call.ts'
import type { Sql } from '../../core/db.ts'
import type { Mergeable } from '../merged/mergedRecords.ts'
import { alertMarks } from './alertMarks.ts'
import { deadlineMarks, ofCase, ofIssue } from './deadlineMarks.ts'

type Computed = (me: Caller, row: string) => Sql

const IS_OPEN = sql`(k.open_issues > 0 or k.issue_count = 0)`
const IS_CLOSED = sql`(k.open_issues = 0 and k.issue_count > 0)`
const IS_OPEN_ISSUE = sql`i.is_opened and i.status = ${sql.lit(STATUS.active)}`

/**
 * Properties that are no plain column, by entity and name: SQL that computes them for the caller, for a row of the
 * alias.
 */
export const COMPUTED: Record<string, Record<string, Computed>> = {
  // Everybody who sees the client must know of an alert, but not of which record it is, nor what that says.
  alert: {
    case: (me, row) => ofAlertedRecord(me, row, sql.ref(`${row}.case`)),
    issue: (me, row) => ofAlertedRecord(me, row, sql.ref(`${row}.issue`)),
    because: (me, row) => ofAlertedRecord(me, row, sql.ref(`${row}.because`)),
    since: (me, row) => ofAlertedRecord(me, row, sql.ref(`${row}.since`)),
    by_name: (me, row) => ofAlertedRecord(me, row, ofOwnDoing(me, row, sql.ref(`${row}.by_name`))),
    record_title: (me, row) => ofAlertedRecord(me, row, sql.ref(`${row}.record_title`)),
    page: (me, row) => ofAlertedRecord(me, row, sql.ref(`${row}.page`)),
    notified: (me, row) => ofAlertedRecord(me, row, ofOwnDoing(me, row, listOfState(row, NAME, NOTIFIED))),
    steps: (me, row) => ofAlertedRecord(me, row, listOfState(row, sql`t.title`, visibleSteps(me))),
    holds: (me, row) =>
      ofAlertedRecord(me, row, listOfState(row, sql`h.call`, sql`join automation_holds h on h.state = s.id`)),
    ends_when_closed: (me, row) => ofAlertedRecord(me, row, endsWhenClosed(row)),
    details: (me, row) => {
      const ofOthers = seesOwnOnly(me) ? sql`and ${createdBy(me, row)}` : sql``
      return sql`case when ${sql.ref(`${row}.case`)} is null ${ofOthers} then ${sql.ref(`${row}.details`)}
        else ${ofAlertedRecord(me, row, sql.ref(`${row}.details`))} end`
    },
  },
  case: {
    form_version: formVersion,
    open_issues: (me, row) => ofIssues(me, row, sql`count(*)::int`, IS_OPEN_ISSUE),
    issue_count: (me, row) => ofIssues(me, row, sql`count(*)::int`),
    notice: noticeOfRecord('case'),
    merged_from: mergedFrom('case'),
    undoable_merge: undoableMerge('case'),
    open_tasks: openTasksOf('case'),
    may_purge: MAY_PURGE.case,
    not_asked: (_, row) =>
      notAsked(
        'case_meta',
        row,
        sql`q."case" = ${sql.ref(`${row}.id`)} and q.decided_at = ${sql.ref(`${row}.created_at`)}`,
      ),
    advocate_name: advocatesOf,
    last_contact: (me, row) => ofIssues(me, row, sql`max(i.last_contact)`),
    next_task: (me, row) => nextOf(me, row, 'next_task'),
    next_step: (me, row) => nextOf(me, row, 'next_step'),
    next_due: (me, row) => nextOf(me, row, 'next_due'),
    // Only those who deal with referrals can open it.
    referral: (me, row) =>
      dealsWithReferrals(me)
        ? sql`(select min(q.id) from referral_requests q where q."case" = ${sql.ref(`${row}.id`)} and ${visibleTo('referral', me, 'q')})`
        : sql`null::integer`,
  },
  caseRow: {
    may_purge: MAY_PURGE.case,
    advocate_name: advocatesOf,
    alerts: (me, row) => alertMarks(me, sql.ref(`${row}.client`)),
    deadlines: (me, row) => deadlineMarks(me, ofCase(sql.ref(`${row}.id`))),
  },
  caseType: {
    // Only administrators need the tests of a form, which can be many times as large as the form.
    tests: ({ groups }, row) =>
      groups.includes(ROLE.systemAdministrator) ? sql.ref(`${row}.tests`) : sql`null::jsonb`,
    // Only the reply of a single one has them (verbs/read.ts).
    calendars: () => sql`null::jsonb`,
    looks_back: () => sql`null::int`,
  },
  client: {
    open_cases: (me, row) => casesOf(me, row, IS_OPEN),
    closed_cases: (me, row) => casesOf(me, row, IS_CLOSED),
    open_tasks: openTasksOf('client'),
    may_purge: MAY_PURGE.client,
    notice: noticeOf('client'),
    merged_from: mergedFrom('client'),
    undoable_merge: undoableMerge('client'),
  },
  clientRow: {
    alerts: (me, row) => alertMarks(me, sql.ref(`${row}.id`)),
    open_case_count: (me, row) => sql`(select count(*) from ${visibleCases(me, row, IS_OPEN)})`,
  },
  issueRow: {
    alerts: (me, row) => alertMarks(me, sql.ref(`${row}.client`)),
    deadlines: (me, row) => deadlineMarks(me, ofIssue(sql.ref(`${row}.id`), sql.ref(`${row}.case`))),
  },
  clientQuestion: { is_mine: ({ id }, row) => sql`(${sql.ref(`${row}.asked_of`)} = ${id})` },
  invalidRow: {
    same_nhs: (me, row) => sql`(select min(n.other) from same_nhs_numbers n
      where n.client = ${sql.ref(`${row}.client`)} and ${below(me, 'n', 'client', 'other')})`,
  },
  issue: {
    form_version: formVersion,
    notice: noticeOfRecord('issue'),
    open_tasks: openTasksOf('issue'),
    may_purge: MAY_PURGE.issue,
    // Issues that are added later are asked whole.
    not_asked: (_, row) =>
      notAsked(
        'issue_meta',
        row,
        sql`q."case" = ${sql.ref(`${row}.case`)} and q.decided_at = ${sql.ref(`${row}.created_at`)}`,
      ),
  },
  // Hours of one's own count for good, but lead nowhere once their issue or case is out of sight.
  workFact: {
    client: (me, row) => ofVisibleWork(me, row, 'client'),
    case: (me, row) => ofVisibleWork(me, row, 'case'),
  },
  // The step is its assignee's, but why it was planned is for those who see what it is about.
  task: {
    because: (me, row) => ofAlertedRecord(me, row, sql.ref(`${row}.because`)),
    because_label: (me, row) => ofAlertedRecord(me, row, sql.ref(`${row}.because_label`)),
    because_by: (me, row) => ofAlertedRecord(me, row, ofOwnDoing(me, row, sql.ref(`${row}.because_by`))),
    because_at: (me, row) => ofAlertedRecord(me, row, sql.ref(`${row}.because_at`)),
  },
  worklistRow: { alerts: (me, row) => alertMarks(me, sql.ref(`${row}.client`)) },
  // Who gets a notice of an automation does not always see the records that it is about.
  workNotice: {
    sentence: (me, row) => {
      const column = (name: string) => sql.ref(`${row}.${name}`)
      const seen = sql`concat(${column('event_text')}, ': ' || ${column('event_whom')}, ', by ' || ${column('event_by')},
        case when ${column('urgent')} then ', urgent' end)`
      return sql`case when ${seesEvents(me, row)} then ${seen} else ${column('sentence')} end`
    },
    page: (me, row) =>
      sql`case when ${seesEvents(me, row)} then ${sql.ref(`${row}.event_page`)} else ${sql.ref(`${row}.page`)} end`,
  },
  bulkUpload: { notice: noticeOf('upload') },
  referralRequest: {
    notice: noticeOf('referral'),
    // A person without a hub acts for the receiving hub.
    is_received: ({ hub }, row) => sql`(${hub}::int is null or ${hub} = ${sql.ref(`${row}.hub`)})`,
    is_mine: ({ id }, row) => sql`coalesce(${sql.ref(`${row}.taken_by`)} = ${id}, false)`,
    client: (me, row) =>
      sql`(select c.id from clients c where c.id = ${sql.ref(`${row}.from_client`)} and ${visibleTo('client', me, 'c')})`,
    // Those that the caller may open.
    documents: (me, row) =>
      sql`(select jsonb_agg(jsonb_build_object('row', d.id, 'file', f.id) order by d.id)
        from referral_documents g join issue_documents d on d.id = g.document join files f on f.id = d.file
        where g.request = ${sql.ref(`${row}.id`)} and d.error_reason is null and ${visibleTo('file', me, 'f')})`,
    // Of the case that was sent and the one that it became, the first that the caller sees.
    visible_case: (me, row) =>
      sql`(select k.id from cases k where k.id in (${sql.ref(`${row}.case`)}, ${sql.ref(`${row}.from_case`)})
        and ${visibleTo('case', me, 'k')} order by k.id limit 1)`,
  },
  referralMessage: {
    is_unread: ({ hub }, row) =>
      sql`(${sql.ref(`${row}.unread_by`)} is not null and (${hub}::int is null or ${hub} = ${sql.ref(`${row}.unread_by`)}))`,
  },
}

const WORK_COLUMNS = [
  'next_task',
  'next_step',
  'next_due',
  'last_contact',
  'quiet_since',
  'old_since',
  'pressing',
]

/**
 * True if a column of a case or issue comes from its actions and tasks, and the caller may see only their own of these.
 * Such a column is null for them, and no order or filter.
 */
export function isOfOthersWork({ scope }: Entity, name: string, me: Caller): boolean {
  return (scope === 'case' || scope === 'issue') && seesOwnOnly(me) && WORK_COLUMNS.includes(name)
}

/** The version of the form that a case or issue would be saved with. */
function formVersion(_: Caller, row: string): Sql {
  return sql`(select t.version from case_types t where t.id = ${sql.ref(`${row}.case_type`)})`
}

/**
 * A JSON list of the questions that the public form did not ask, for a record that a public referral became: it is as old
 * as the decision, in one transaction. Null for others.
 */
function notAsked(meta: MetaName, row: string, became: Sql): Sql {
  return sql`case when exists (select from referral_requests q where q.channel = 'public' and ${became})
    then (select jsonb_agg(f -> 'name') from case_types t, jsonb_array_elements(t.${sql.ref(meta)}) g,
        jsonb_array_elements(g -> 'fields') f
      where t.id = ${sql.ref(`${row}.case_type`)} and coalesce(f #> '{attrs,referral}', 'false') <> 'true') end`
}

/** A value of an alert, null if the caller may not see the issue, or else the case, that it is about. */
function ofAlertedRecord(me: Caller, row: string, value: Sql): Sql {
  return sql`case when ${seesAlertedRecord(me, row)} then ${value} end`
}

/** Joins the events of a state s since it began. */
const EVENTS = sql`join automation_events e on e.case_type = s.case_type and e.name = s.name and e."case" = s."case"
  and e.issue is not distinct from s.issue and e.at >= s.since`
const NOTIFIED = sql`${EVENTS} join work_notices n on n.event = e.id join staff p on p.id = n.staff`
const NAME = sql`nullif(trim(p.first_name || ' ' || p.last_name), '')`

function visibleSteps(me: Caller): Sql {
  return sql`${EVENTS} join tasks t on t.event = e.id and t.error_reason is null and ${visibleTo('task', me, 't')}`
}

function endsWhenClosed(row: string): Sql {
  return sql`(select t.automations @> jsonb_build_array(jsonb_build_object('name', s.name, 'while', 'open'))
    from automation_states s join case_types t on t.id = s.case_type where s.id = ${sql.ref(`${row}.state`)})`
}

/** What somebody did, null for those who see only what they did themselves. */
function ofOwnDoing(me: Caller, row: string, value: Sql): Sql {
  return seesOwnOnly(me) ? sql`case when ${createdBy(me, row)} then ${value} end` : value
}

/** A JSON list of the texts that joins to the state of an alert give, each once. */
function listOfState(row: string, text: Sql, joins: Sql): Sql {
  return sql`(select coalesce(jsonb_agg(distinct ${text}) filter (where ${text} is not null), '[]')
    from automation_states s ${joins} where s.id = ${sql.ref(`${row}.state`)})`
}

/** A column of a work fact, null for an action of the caller's own that they see no longer; others' are visible. */
function ofVisibleWork(me: Caller, row: string, column: 'case' | 'client'): Sql {
  const isOthers = sql`${sql.ref(`${row}.created_by`)} is distinct from ${me.id}`
  return sql`case when ${isOthers} or ${visibleTo('action', me, row)} then ${sql.ref(`${row}.${column}`)} end`
}

/** True for a notice of automations if the caller sees every record that it is about. */
function seesEvents(me: Caller, row: string): Sql {
  return sql`(${sql.ref(`${row}.event`)} is not null and not exists (select from work_notice_events o
    join automation_events f on f.id = o.event
    where o.notice = ${sql.ref(`${row}.id`)} and ${ofAlertedRecord(me, 'f', sql`true`)} is not true))`
}

/** Id of the caller's unread notice about a record, by the column that references the record. */
function noticeOf(column: 'referral' | 'upload' | 'client'): Computed {
  return ({ id }, row) => sql`(${unreadOf(id, sql`${sql.ref(`n.${column}`)} = ${sql.ref(`${row}.id`)}`)})`
}

/** Id of one of the caller's unread notices about an issue or a case, of whichever kind. */
function noticeOfRecord(record: 'issue' | 'case'): Computed {
  return ({ id }, row) => {
    const key = sql.ref(`${row}.id`)
    const isAbout = record === 'issue' ? sql`f.issue = ${key}` : sql`f.issue is null and f."case" = ${key}`
    const ofEvents = sql`select o.notice as id from automation_events f join work_notice_events o on o.event = f.id
      join work_notices n on n.id = o.notice and n.staff = ${id} and n.read_at is null where ${isAbout}
        and not exists (select from work_notice_events others where others.notice = o.notice and others.event <> f.id)`
    const all =
      record === 'issue' ? sql`${unreadOf(id, sql`n.issue = ${key}`)} union all ${ofEvents}` : ofEvents
    return sql`(select min(about.id) from (${all}) about)`
  }
}

function unreadOf(staff: number, isAbout: Sql): Sql {
  return sql`select n.id from work_notices n where n.staff = ${staff} and ${isAbout} and n.read_at is null`
}

/** The numbers of the records that were merged into one. */
function mergedFrom(entity: Mergeable): Computed {
  return (_, row) =>
    sql`array(select m.old from merges m where m.entity = ${sql.lit(entity)} and ${sql.ref(`m.${entity}`)} = ${sql.ref(`${row}.id`)} order by m.at, m.id)`
}

/** The number of the last record that was merged into one, if that can still be undone. */
function undoableMerge(entity: Mergeable): Computed {
  return (_, row) => {
    const into = sql.ref(`m.${entity}`)
    return sql`(select m.old from merges m where m.entity = ${sql.lit(entity)} and ${into} = ${sql.ref(`${row}.id`)}
      and (m.undo -> 'into')::int = ${into} order by m.at desc, m.id desc limit 1)`
  }
}

/** Number of open tasks of a record that the caller may see. */
function openTasksOf(column: 'case' | 'client' | 'issue'): Computed {
  return (
    me,
    row,
  ) => sql`(select count(*)::int from tasks t where t.${sql.ref(column)} = ${sql.ref(`${row}.id`)}
    and t.done_at is null and t.error_reason is null and ${visibleTo('task', me, 't')})`
}

/** JSON list of a client's active cases that the caller may see, newest first; a case starts with its first issue. */
function casesOf(me: Caller, row: string, state: Sql): Sql {
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

/** An aggregate over the issues of a case that the caller may see, so that it reveals nothing about the others. */
function ofIssues(me: Caller, row: string, value: Sql, state = sql`true`): Sql {
  return sql`(select ${value} from issues i where ${visibleIssues(me, row)} and ${state})`
}

/** The names of the advocates of a case's open issues. */
function advocatesOf(me: Caller, row: string): Sql {
  return sql`(select string_agg(distinct nullif(trim(s.first_name || ' ' || s.last_name), ''), ', ')
    from issues i join staff s on s.id = i.advocate where ${visibleIssues(me, row)} and ${IS_OPEN_ISSUE})`
}

/** A column of the open issue whose next step is due first. */
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
