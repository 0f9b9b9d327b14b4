import { sql } from 'kysely'
import type { Caller } from '../core/call.ts'
import type { Sql } from '../core/db.ts'
import { below, column } from './visibleParents.ts'

/**
 * The condition that the caller sees the record that a state or alert is about: its issue, else its case. Somebody who
 * sees only the client sees only the label of an alert.
 */
export function seesAlertedRecord(me: Caller, row: string): Sql {
  return sql`(${below(me, row, 'issue')} or ${column(row, 'issue')} is null and ${below(me, row, 'case')})`
}
