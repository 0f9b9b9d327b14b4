import { sql } from 'kysely'
import { mailFactorChanged } from '../../access/changedMail.ts'
import { makeRecoveryCodes } from '../../access/secondFactor/recoveryCodes.ts'
import type { Call } from '../../core/call.ts'
import type { Db } from '../../core/db.ts'
import { writeAuditEvent } from '../../records/audit/audit.ts'

const FACTORS = {
  authenticator: { action: 'set up second factor', what: 'An authenticator app was set up' },
  passkey: { action: 'add passkey', what: 'A passkey was added' },
}

/**
 * Notes that a person has a new second factor, in the audit and by email. Returns recovery codes if they have none yet,
 * as with their first factor.
 */
export async function noteSetUp(
  call: Call,
  staff: number,
  factor: keyof typeof FACTORS,
): Promise<string[] | undefined> {
  const { action, what } = FACTORS[factor]
  const work = async (db: Db) => {
    // During a sign-in nobody is signed in yet: the person themself is the author.
    const me = { ...call.me, id: staff }
    await writeAuditEvent({ ...call, db, me }, { action, entity: 'staff', record: staff })
    const { rows } = await sql`select 1 from recovery_code where staff = ${staff} limit 1`.execute(db)
    return rows.length === 0 ? makeRecoveryCodes(db, staff) : undefined
  }
  const codes = await (call.db.isTransaction ? work(call.db) : call.db.transaction().execute(work))
  mailFactorChanged(call, staff, what)
  return codes
}
