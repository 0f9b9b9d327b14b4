import { sql } from 'kysely'
import type { Sql } from '../core/db.ts'
import { isEmergencyAccount } from './mayUsePassword.ts'
import { type FactorDeps, rolesWithFactor } from './needsFactor.ts'

/**
 * The condition that a session's sign-in is strong enough for the present roles and settings: by a second factor where
 * a role of the person needs one, and by a provider where only the emergency account signs in by a password. `session`
 * and `staff` are aliases in the query.
 */
export function isProvedEnough({ contract, settings }: FactorDeps, session: string, staff: string): Sql {
  const provedBy = sql.ref(`${session}.proved_by`)
  const roles = rolesWithFactor({ contract, settings })
  const needsNone = sql`not ${sql.ref(`${staff}.groups`)} && ${roles}::int[]`
  const conditions = [
    ...(roles.length > 0 ? [sql`(${provedBy} <> 'password' or ${needsNone})`] : []),
    ...(settings.EMERGENCY_ACCOUNT
      ? [sql`(${provedBy} = 'provider' or ${isEmergencyAccount(settings, staff)})`]
      : []),
  ]
  return conditions.length > 0 ? sql`(${sql.join(conditions, sql` and `)})` : sql`true`
}
