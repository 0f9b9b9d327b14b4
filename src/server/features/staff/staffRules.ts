import { sql } from 'kysely'
import { ROLE } from '../../../contract/roles.ts'
import type { Staff } from '../../../contract/types/entities.ts'
import { maySignIn, whoIsThere } from '../../access/maySignIn.ts'
import { isPasswordOff } from '../../access/mayUsePassword.ts'
import type { Call } from '../../core/call.ts'
import type { Db } from '../../core/db.ts'
import { fieldProblem, problem } from '../../core/problems.ts'

/**
 * Makes other changes of staff wait for this transaction: the checks for a remaining administrator and for cycles of
 * line managers depend on more rows than the changed one.
 */
export async function lockStaff({ db }: { db: Db }): Promise<void> {
  await sql`lock table staff in share row exclusive mode`.execute(db)
}

/** Refuses the changed record of a person, before the transaction is committed. */
export async function refuseStaff(call: Call, before: Staff, after: Staff): Promise<void> {
  if (isAdministrator(before) && !isAdministrator(after)) await refuseWithoutAdministrator(call, after)
  const isEmergencyAccount = (person: Staff) =>
    isAdministrator(person) && !isPasswordOff(call.settings, person)
  if (call.settings.EMERGENCY_ACCOUNT && isEmergencyAccount(before) && !isEmergencyAccount(after))
    throw problem('emergencyAccount')
  if (before.line_manager !== after.line_manager) await refuseCycle(call, after)
}

function isAdministrator(person: Staff): boolean {
  return maySignIn(person) && person.groups.includes(ROLE.systemAdministrator)
}

async function refuseWithoutAdministrator({ db, me }: Call, after: Staff): Promise<void> {
  if (after.id === me.id) throw problem('ownAccess')
  const { rows } = await sql`select 1 from staff s
    where ${whoIsThere('s')} and ${ROLE.systemAdministrator} = any(s.groups) limit 1`.execute(db)
  if (!rows[0]) throw problem('lastAdmin')
}

/** Refuses cycles of line managers. */
async function refuseCycle({ db }: Call, { id }: Staff): Promise<void> {
  const { rows } = await sql`with recursive above as (
      select line_manager as id from staff where id = ${id}
      union select s.line_manager from staff s join above a on s.id = a.id
    ) select 1 from above where id = ${id}`.execute(db)
  if (rows[0])
    throw fieldProblem({ line_manager: ['Line manager must not be this person, nor anybody they lead'] })
}
