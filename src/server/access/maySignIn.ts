import { sql } from 'kysely'
import { STATUS } from '../../contract/status.ts'
import type { Sql } from '../core/db.ts'

const MAY_SIGN_IN: number[] = [STATUS.active, STATUS.onLeave]

export function maySignIn({ status }: { status: number }): boolean {
  return MAY_SIGN_IN.includes(status)
}

/** The condition that a person may sign in, and that their provider has not refused them since their last sign-on. */
export function whoIsThere(row: string): Sql {
  return sql`(${whoMaySignIn(row)} and ${sql.ref(`${row}.refused_at`)} is null)`
}

/** The condition that a person may sign in; `row` is the alias of staff in the query. */
export function whoMaySignIn(row: string): Sql {
  return sql`${sql.ref(`${row}.status`)} in (${sql.join(MAY_SIGN_IN.map((status) => sql.lit(status)))})`
}
