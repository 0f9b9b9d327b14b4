import { sql } from 'kysely'
import { endSessionsOf } from '../../access/session.ts'
import type { Call } from '../../core/call.ts'
import { writeAuditEvent } from '../../records/audit/audit.ts'

/**
 * Sets the hash of a person's new password, deletes their password links, and ends their sessions except that of
 * `exceptToken`. Call it in a transaction, and `mailPasswordChanged` after it.
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
  await sql`delete from known_device where staff = ${staff}`.execute(db)
  await endSessionsOf(db, staff, exceptToken)
  // A caller without a session came by a link, so it is the person themselves.
  const by = me.id === 0 ? { ...me, id: staff } : me
  await writeAuditEvent({ ...call, me: by }, { action: 'password', entity: 'staff', record: staff })
}
