import { type RawBuilder, sql } from 'kysely'
import { allows } from '../../contract/access.ts'
import { STATUS } from '../../contract/status.ts'
import type { Call } from '../call.ts'
import type { Sql } from '../db.ts'
import { asProblem } from '../problems.ts'
import { visibleTo } from '../scope.ts'

/** The newest issues that a list of notifications names. */
const MOST = 500

interface Notification {
  issue_id: number
  case_id: number
}

/** Milliseconds that somebody who signs in waits for a table that is locked. */
const PATIENCE = 300

/**
 * A person's notification lists, newest first: their open issues, and issues with fields missing or wrong where they check
 * these. Empty where the database cannot tell them soon: nobody is kept from signing in by that.
 */
export async function notificationsOf(call: Call): Promise<Record<string, Notification[]>> {
  const { contract, me, request } = call
  const mine = sql`issues r where r.advocate = ${me.id} and r.is_opened and r.status = ${sql.lit(STATUS.active)}`
  const invalid = sql`invalid_rows r where ${visibleTo('issue', me, 'r')}`
  const checks = allows(contract.roles, contract.endpoints['validation.notification'].roles, me.groups)
  // Not on the connections of the call: others may be waiting on all of them.
  const [assigned, wrong = []] = await request.server
    .readTogether(PATIENCE, [newest(mine), ...(checks ? [newest(invalid)] : [])])
    .catch((error: unknown) => {
      if (asProblem(error).statusCode !== 503) throw error
      return [[], []]
    })
  return { assigned, invalid: wrong }
}

function newest(from: Sql): RawBuilder<Notification> {
  return sql`select r.id as issue_id, r."case" as case_id from ${from} order by r.id desc limit ${MOST}`
}
