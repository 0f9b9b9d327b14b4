import { sql } from 'kysely'
import type { Caller } from '../core/call.ts'
import type { Sql } from '../core/db.ts'
import { column, visibleTo } from './scope.ts'

/**
 * The condition that the caller sees the record that a state or alert is about: its issue, else its case. Who sees only
 * the client reads the label of an alert.
 */
export function seesAlertedRecord(me: Caller, row: string): Sql {
  return sql`case when ${column(row, 'issue')} is null
    then exists (select from cases k where k.id = ${column(row, 'case')} and ${visibleTo('case', me, 'k')})
    else exists (select from issues i where i.id = ${column(row, 'issue')} and ${visibleTo('issue', me, 'i')}) end`
}
