import { sql } from 'kysely'
import { seesAlertedRecord } from '../../access/alertedRecord.ts'
import { seesOwnOnly } from '../../access/callerRights.ts'
import { visibleTo } from '../../access/scope.ts'
import { createdBy } from '../../access/visibleParents.ts'
import type { Caller } from '../../core/call.ts'
import type { Sql } from '../../core/db.ts'

/** A value of an alert, null if the caller may not see the issue, or else the case, that it is about. */
export function ofAlertedRecord(me: Caller, row: string, value: Sql): Sql {
  return sql`case when ${seesAlertedRecord(me, row)} then ${value} end`
}

/** Joins the events of a state s since it began. */
const EVENTS = sql`join automation_events e on e.case_type = s.case_type and e.name = s.name and e."case" = s."case"
  and e.issue is not distinct from s.issue and e.at >= s.since`
export const NOTIFIED = sql`${EVENTS} join work_notices n on n.event = e.id join staff p on p.id = n.staff`
export const NAME = sql`nullif(trim(p.first_name || ' ' || p.last_name), '')`

export function visibleSteps(me: Caller): Sql {
  return sql`${EVENTS} join tasks t on t.event = e.id and t.error_reason is null and ${visibleTo('task', me, 't')}`
}

export function endsWhenClosed(row: string): Sql {
  return sql`(select t.automations @> jsonb_build_array(jsonb_build_object('name', s.name, 'while', 'open'))
    from automation_states s join case_types t on t.id = s.case_type where s.id = ${sql.ref(`${row}.state`)})`
}

/** The first question of the record's own form that the condition of a state requires to be unanswered. */
export function unanswered(row: string): Sql {
  return sql`(select w.key from automation_states s join case_types t on t.id = s.case_type,
      jsonb_each(jsonb_path_query_first(t.automations, '$[*] ? (@.name == $name).when', jsonb_build_object('name', s.name))) w
    where s.id = ${sql.ref(`${row}.state`)} and w.value = '{"set": false}' and w.key ~ '^[a-z]\\w*$' order by w.key limit 1)`
}

/** A value about what somebody did; null for callers who see only what they did themselves. */
export function ofOwnDoing(me: Caller, row: string, value: Sql): Sql {
  return seesOwnOnly(me) ? sql`case when ${createdBy(me, row)} then ${value} end` : value
}

/** A JSON list of the texts that joins to the state of an alert give, each once. */
export function listOfState(row: string, text: Sql, joins: Sql): Sql {
  return sql`(select coalesce(jsonb_agg(distinct ${text}) filter (where ${text} is not null), '[]')
    from automation_states s ${joins} where s.id = ${sql.ref(`${row}.state`)})`
}

/** True for a notice of automations if the caller sees every record that it is about. */
export function seesEvents(me: Caller, row: string): Sql {
  return sql`(${sql.ref(`${row}.event`)} is not null and not exists (select from work_notice_events o
    join automation_events f on f.id = o.event
    where o.notice = ${sql.ref(`${row}.id`)} and ${ofAlertedRecord(me, 'f', sql`true`)} is not true))`
}
