import { type RawBuilder, sql } from 'kysely'
import { allows } from '../../../contract/access.ts'
import { STATUS } from '../../../contract/status.ts'
import type { Call } from '../../core/call.ts'
import type { Sql } from '../../core/db.ts'
import { asProblem } from '../../core/problems.ts'
import { newestInvalid } from '../../records/query/newestInvalid.ts'

/** Maximum number of issues in a list of notifications, the newest. */
const MAX_ISSUES = 500

interface Notification {
  issue_id: number
  case_id: number
}

/** Maximum wait for a locked table at sign-in, in milliseconds. */
const LOCK_TIMEOUT_MS = 300

/**
 * A person's notifications, newest first: their open issues, and issues with missing or invalid fields if their role
 * checks these. Empty if the database is too slow or busy, so that nobody is kept from signing in.
 */
export async function notificationsOf(call: Call): Promise<Record<string, Notification[]>> {
  const { contract, me, request } = call
  const mine = sql`select r.id, r."case" from issues r
    where r.advocate = ${me.id} and r.is_opened and r.status = ${sql.lit(STATUS.active)}
    order by r.id desc limit ${MAX_ISSUES}`
  const checks = allows(contract.roles, contract.endpoints['validation.notification'].roles, me.groups)
  // Not on a connection of the call's pool: other calls may be waiting on all of them.
  const [assigned, wrong = []] = await request.server
    .readPipelined(LOCK_TIMEOUT_MS, [
      notifications(mine),
      ...(checks ? [notifications(newestInvalid(me, MAX_ISSUES))] : []),
    ])
    .catch((error: unknown) => {
      if (asProblem(error).statusCode !== 503) throw error
      return [[], []]
    })
  return { assigned, invalid: wrong }
}

function notifications(issues: Sql): RawBuilder<Notification> {
  return sql`select f.id as issue_id, f."case" as case_id from (${issues}) f order by f.id desc`
}
