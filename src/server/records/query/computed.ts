import { sql } from 'kysely'
import type { Entity } from '../../../contract/generated.ts'
import type { MetaName } from '../../../contract/meta/metaTypes.ts'
import { ROLE } from '../../../contract/roles.ts'
import { dealsWithReferrals, seesOwnOnly } from '../../access/callerRights.ts'
import { asWriter } from '../../access/principals.ts'
import { MAY_PURGE } from '../../access/purgeable.ts'
import { visibleTo } from '../../access/scope.ts'
import { below, createdBy } from '../../access/visibleParents.ts'
import type { Caller } from '../../core/call.ts'
import type { Sql } from '../../core/db.ts'
import type { Mergeable } from '../merged/mergedRecords.ts'
import {
  endsWhenClosed,
  listOfState,
  NAME,
  NOTIFIED,
  ofAlertedRecord,
  ofOwnDoing,
  seesEvents,
  unanswered,
  visibleSteps,
} from './alertColumns.ts'
import { alertMarks } from './alertMarks.ts'
import {
  advocatesOf,
  casesOf,
  IS_CLOSED,
  IS_OPEN,
  IS_OPEN_ISSUE,
  nextOf,
  ofIssues,
  visibleCases,
} from './caseColumns.ts'
import { deadlineMarks, ofCase, ofIssue } from './deadlineMarks.ts'

type Computed = (me: Caller, row: string) => Sql

/**
 * Properties that are no plain column, by entity and name: SQL that computes them for the caller, for a row of the
 * alias.
 */
export const COMPUTED: Record<string, Record<string, Computed>> = {
  // Everybody who sees the client must know of an alert, but not which record it is about, nor its text.
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
    // Who only reads the record cannot give the answer.
    unanswered: (me, row) => ofAlertedRecord(asWriter(me), row, unanswered(row)),
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
    open_issues: (me, row) => ofIssues(me, row, sql`count(*)::int`, IS_OPEN_ISSUE),
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
    // Issues that are added later are asked all questions.
    not_asked: (_, row) =>
      notAsked(
        'issue_meta',
        row,
        sql`q."case" = ${sql.ref(`${row}.case`)} and q.decided_at = ${sql.ref(`${row}.created_at`)}`,
      ),
  },
  // A person's own hours always count, but have no link once their issue or case is out of sight.
  workFact: {
    client: (me, row) => ofVisibleWork(me, row, 'client'),
    case: (me, row) => ofVisibleWork(me, row, 'case'),
  },
  // The assignee sees the step, but why it was planned only if they see the record that it is about.
  task: {
    because: (me, row) => ofAlertedRecord(me, row, sql.ref(`${row}.because`)),
    because_label: (me, row) => ofAlertedRecord(me, row, sql.ref(`${row}.because_label`)),
    because_by: (me, row) => ofAlertedRecord(me, row, ofOwnDoing(me, row, sql.ref(`${row}.because_by`))),
    because_at: (me, row) => ofAlertedRecord(me, row, sql.ref(`${row}.because_at`)),
  },
  worklistRow: { alerts: (me, row) => alertMarks(me, sql.ref(`${row}.client`)) },
  // Somebody who gets a notice of an automation does not always see the records that it is about.
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
 * A JSON list of the questions that the public form did not ask, for a record that a public referral became: it is as
 * old as the decision, in one transaction. Null for others.
 */
function notAsked(meta: MetaName, row: string, became: Sql): Sql {
  return sql`case when exists (select from referral_requests q where q.channel = 'public' and ${became})
    then (select jsonb_agg(f -> 'name') from case_types t, jsonb_array_elements(t.${sql.ref(meta)}) g,
        jsonb_array_elements(g -> 'fields') f
      where t.id = ${sql.ref(`${row}.case_type`)} and coalesce(f #> '{attrs,referral}', 'false') <> 'true') end`
}

/** A column of a work fact, null for an action of the caller's own that they see no longer; others' are visible. */
function ofVisibleWork(me: Caller, row: string, column: 'case' | 'client'): Sql {
  const isOthers = sql`${sql.ref(`${row}.created_by`)} is distinct from ${me.id}`
  return sql`case when ${isOthers} or ${visibleTo('action', me, row)} then ${sql.ref(`${row}.${column}`)} end`
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
