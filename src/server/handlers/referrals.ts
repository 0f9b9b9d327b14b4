import { sql } from 'kysely'
import { REFERRAL_STATUS } from '../../contract/status.ts'
import type { Handler } from '../call.ts'
import { visibleTo } from '../scope.ts'

/** How many requests nobody answered, and how many messages nobody read, in this person's hub. */
export const notification: Handler = async ({ db, me }) => {
  const { rows } = await sql<{ new_messages: number; new_requests: number }>`select
    (select count(*) from referral_messages m where m.read_at is null and ${visibleTo('referral', me, 'm')}) as new_messages,
    (select count(*) from referral_requests q where q.status = ${sql.lit(REFERRAL_STATUS.new)} and ${visibleTo('referral', me, 'q')}) as new_requests`.execute(
    db,
  )
  return rows[0]
}
