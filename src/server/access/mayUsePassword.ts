import { sql } from 'kysely'
import type { Sql } from '../core/db.ts'
import type { Settings } from '../core/settings.ts'

/**
 * The condition that a person may sign in by their password; `row` is the alias of staff in the query. With
 * EMERGENCY_ACCOUNT only that one may. Otherwise everybody may whose provider, if they have one, did not refuse them.
 */
export function mayUsePassword({ EMERGENCY_ACCOUNT }: Settings, row: string): Sql {
  return EMERGENCY_ACCOUNT
    ? sql`lower(${sql.ref(`${row}.username`)}) = ${EMERGENCY_ACCOUNT.toLowerCase()}`
    : sql`${sql.ref(`${row}.refused_at`)} is null`
}

/** True if EMERGENCY_ACCOUNT names somebody else as the only person with a password. */
export function isPasswordOff({ EMERGENCY_ACCOUNT }: Settings, { username }: { username: string }): boolean {
  return EMERGENCY_ACCOUNT !== '' && username.toLowerCase() !== EMERGENCY_ACCOUNT.toLowerCase()
}
