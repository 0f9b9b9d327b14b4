import { sql } from 'kysely'
import { seesAlertedRecord } from '../../access/alertedRecord.ts'
import { below } from '../../access/visibleParents.ts'
import type { Caller } from '../../core/call.ts'
import type { Sql } from '../../core/db.ts'

/** Maximum number of marks beside a name. */
const MAX_MARKS = 3
const LEVELS = ['danger', 'warning', 'info']

/**
 * A JSON list of the most serious alerts of a client, as marks beside the name: `level` and `label` for everybody who
 * sees the client, `text` for those who see the record. Nothing of a client whom the caller does not see.
 */
export function alertMarks(me: Caller, client: Sql): Sql {
  return sql`(select coalesce(jsonb_agg(jsonb_build_object('level', m.level, 'label', m.label, 'text', m.text)
      order by m.rank, m.label, m.text), '[]')
    from (
      select distinct array_position(${LEVELS}::text[], state.level) as rank, state.level, state.label,
        case when ${seesAlertedRecord(me, 'state')} then state.text end as text
      ${alertsOf(me, client)} order by rank, label, text limit ${MAX_MARKS}
    ) m)`
}

/** The condition that a client has an alert of some level, or of any. */
export function hasAlert(me: Caller, client: Sql, level?: string): Sql {
  return sql`exists (select ${alertsOf(me, client)} ${level ? sql`and state.level = ${level}` : sql``})`
}

function alertsOf(me: Caller, client: Sql): Sql {
  return sql`from automation_states state
    where state.client = ${client} and state.level is not null and ${below(me, 'state', 'client')}`
}
