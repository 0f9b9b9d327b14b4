import { sql } from 'kysely'
import { allows } from '../../contract/access.ts'
import { STATUS } from '../../contract/status.ts'
import type { Call } from '../call.ts'
import type { Sql } from '../db.ts'
import { visibleTo } from '../scope.ts'

/** The newest issues that a list of notifications names. */
const MOST = 500

interface Notification {
  issue_id: number
  case_id: number
}

/** A person's notification lists, newest first: their open issues, and issues with fields missing or wrong where they check these. */
export async function notificationsOf(call: Call): Promise<Record<string, Notification[]>> {
  const { contract, me } = call
  const mine = sql`issues r where r.advocate = ${me.id} and r.is_opened and r.status = ${sql.lit(STATUS.active)}`
  const invalid = sql`invalid_rows r where ${visibleTo('issue', me, 'r')}`
  const checks = allows(contract.roles, contract.endpoints['validation.notification'].roles, me.groups)
  return {
    assigned: await newest(call, mine),
    invalid: checks ? await newest(call, invalid) : [],
  }
}

async function newest({ db }: Call, from: Sql): Promise<Notification[]> {
  const { rows } = await sql<Notification>`select r.id as issue_id, r."case" as case_id from ${from}
    order by r.id desc limit ${MOST}`.execute(db)
  return rows
}
