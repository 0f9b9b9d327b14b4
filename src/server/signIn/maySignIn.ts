import { sql } from 'kysely'
import { STATUS } from '../../contract/status.ts'
import type { Sql } from '../db.ts'

/** Statuses of those who may sign in: active, and on leave. */
const MAY_SIGN_IN: number[] = [STATUS.active, STATUS.onLeave]

/** Whether somebody of this status may sign in. */
export function maySignIn({ status }: { status?: unknown }): boolean {
  return MAY_SIGN_IN.includes(status as number)
}

/** The condition that keeps who may sign in; `row` is the alias of staff in the query. */
export function whoMaySignIn(row: string): Sql {
  return sql`${sql.ref(`${row}.status`)} in (${sql.join(MAY_SIGN_IN.map((status) => sql.lit(status)))})`
}
