import { sql } from 'kysely'
import { writeAuditEvent } from '../audit/audit.ts'
import type { Call } from '../call.ts'
import { endSessionsOf } from './session.ts'

/**
 * Gives a person a new password by its hash: the links that were sent to them and their sessions end, all but that of `kept`. To be
 * called in a transaction, after which `tellChanged` tells them.
 */
export async function setPassword(
  call: Call,
  staff: number,
  hash: string,
  exceptToken?: string,
): Promise<void> {
  const { db, me } = call
  await sql`update staff set password_hash = ${hash} where id = ${staff}`.execute(db)
  await sql`delete from password_reset where staff = ${staff}`.execute(db)
  await endSessionsOf(db, staff, exceptToken)
  // Whoever came by a link is the person themselves.
  const by = me.id === 0 ? { ...me, id: staff } : me
  await writeAuditEvent({ ...call, me: by }, { action: 'password', entity: 'staff', record: staff })
}
