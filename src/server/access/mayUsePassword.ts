import { sql } from 'kysely'
import type { Sql } from '../core/db.ts'
import type { Settings } from '../core/settings.ts'

/**
 * The condition that a person may sign in by their password; `row` is the alias of staff in the query. With
 * EMERGENCY_ACCOUNT only that account may; otherwise everybody may whom no provider has refused.
 */
export function mayUsePassword(settings: Settings, row: string): Sql {
  return settings.EMERGENCY_ACCOUNT
    ? isEmergencyAccount(settings, row)
    : sql`${sql.ref(`${row}.refused_at`)} is null`
}

/**
 * The condition that a link may set a person's password: they may sign in by it, and do not sign in by a provider
 * alone, whose second factor such a link would bypass.
 */
export function mayGetPassword(settings: Settings, row: string): Sql {
  return sql`(${mayUsePassword(settings, row)} and (${sql.ref(`${row}.password_hash`)} is not null
    or not exists (select from openid_link l where l.staff = ${sql.ref(`${row}.id`)})))`
}

/** The condition that a person is that of EMERGENCY_ACCOUNT; `row` is the alias of staff in the query. */
export function isEmergencyAccount({ EMERGENCY_ACCOUNT }: Settings, row: string): Sql {
  return sql`lower(${sql.ref(`${row}.username`)}) = ${EMERGENCY_ACCOUNT.toLowerCase()}`
}

/** True if EMERGENCY_ACCOUNT names somebody else as the only person with a password. */
export function isPasswordOff({ EMERGENCY_ACCOUNT }: Settings, { username }: { username: string }): boolean {
  return EMERGENCY_ACCOUNT !== '' && username.toLowerCase() !== EMERGENCY_ACCOUNT.toLowerCase()
}
