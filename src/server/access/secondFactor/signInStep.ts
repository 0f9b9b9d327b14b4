import { sql } from 'kysely'
import type { Call } from '../../core/call.ts'
import type { Db } from '../../core/db.ts'
import { whoMaySignIn } from '../maySignIn.ts'
import { mayUsePassword } from '../mayUsePassword.ts'
import { needsFactor } from '../needsFactor.ts'
import { offersPasskeys } from '../relyingParty.ts'
import { type Factors, factorColumns } from '../secondFactors.ts'
import { hashToken, makeToken } from '../token.ts'
import { isTrustedDevice } from './trustedDevice.ts'

/** Minutes in which the second factor must follow the password. */
export const STEP_MINUTES = 10

/** What is missing after the right password: a second factor, or setting one up that the role of the person needs. */
export interface SignInStep {
  second_factor: 'code' | 'set up'
  token: string
  /** True if it can be a code of an app. */
  authenticator: boolean
  /** True if it can be a passkey. */
  passkey: boolean
}

interface Person extends Factors {
  groups: number[]
}

/** The step that is missing, or how the person has proved who they are if none is. */
type AfterPassword = { step: SignInStep } | { proof: 'password' | 'second factor' }

/**
 * The step that is missing before a person gets a session by their password. Somebody who may not sign in gets no step,
 * and is refused as after a wrong password.
 */
export async function afterPassword(call: Call, staff: number): Promise<AfterPassword> {
  const { db, settings } = call
  const { rows } = await sql<Person>`select s.groups, ${factorColumns('s')} from staff s
    where s.id = ${staff} and ${whoMaySignIn('s')} and ${mayUsePassword(settings, 's')}`.execute(db)
  if (!rows[0]) return { proof: 'password' }
  const [{ groups, authenticator, passkey }] = rows
  const has = authenticator || passkey
  if (!has && !needsFactor(call, groups)) return { proof: 'password' }
  if (has && (await isTrustedDevice(call, staff))) return { proof: 'second factor' }
  const token = makeToken()
  await sql`insert into sign_in_step (token_hash, staff) values (${hashToken(token)}, ${staff})`.execute(db)
  const step: SignInStep = {
    second_factor: has ? 'code' : 'set up',
    token,
    authenticator: authenticator || !has,
    passkey: (passkey || !has) && offersPasskeys(call),
  }
  return { step }
}

/** The person whose second factor a step waits for; undefined if it has ended or expired. */
export async function personOfStep(
  db: Db,
  token: string,
): Promise<{ id: number; username: string } | undefined> {
  const { rows } = await sql<{ id: number; username: string }>`select s.id, s.username
    from sign_in_step t join staff s on s.id = t.staff where t.token_hash = ${hashToken(token)}
      and t.created_at > now() - make_interval(mins => ${STEP_MINUTES}) and ${whoMaySignIn('s')}`.execute(db)
  return rows[0]
}

/** Ends a step; false if another call has ended it. */
export async function endStep(db: Db, token: string): Promise<boolean> {
  const { rows } =
    await sql`delete from sign_in_step where token_hash = ${hashToken(token)} returning 1`.execute(db)
  return rows.length === 1
}
