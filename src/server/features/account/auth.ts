import { sql } from 'kysely'
import { ROLE } from '../../../contract/roles.ts'
import type { Consent, SetupBody } from '../../../contract/types/entities.ts'
import { logAccess } from '../../access/accessLog.ts'
import { checkPassword } from '../../access/checkPassword.ts'
import { reserveGuess, returnGuess, tooManyGuesses } from '../../access/lockout.ts'
import { endSessionUrl } from '../../access/openid/endSessionUrl.ts'
import { hashPassword } from '../../access/password.ts'
import { refusePassword } from '../../access/passwordRule.ts'
import { endSession, tokenOf } from '../../access/session.ts'
import { useSetupToken } from '../../access/setup.ts'
import type { Call, Caller, Handler } from '../../core/call.ts'
import { fieldProblem, problem } from '../../core/problems.ts'
import { today } from '../../core/today.ts'
import { writeAuditEvent } from '../../records/audit/audit.ts'
import { validateBody } from '../../records/validate/validateBody.ts'
import { fetch } from '../../records/verbs/read.ts'
import { planLeave as planLeaveOf } from '../staff/planLeave.ts'
import { profileOf } from './profile.ts'
import { renewSignOnsOf } from './renewSignOns.ts'
import { replyAfterPassword } from './sessionReply.ts'

export const csrf: Handler = async ({ reply }) => ({ csrftoken: reply.generateCsrf() })

/** Checks a password only after reserving the attempt, so that parallel attempts cannot exceed the limit. */
export const login: Handler = async (call) => {
  const { username, password } = await validateBody(call, call.contract.bodies.login, call.body)
  const name = username.trim().toLowerCase()
  if (!(await reserveGuess(call, name))) {
    await logAccess(call, name, false, true)
    throw tooManyGuesses(call, 'locked')
  }
  const id = await checkPassword(call, password, sql`lower(s.username) = ${name}`).catch(async (error) => {
    await returnGuess(call, name)
    throw error
  })
  if (id !== undefined) {
    // A person whom their provider refuses by now must not get in by their password.
    await renewSignOnsOf(call, id)
    return replyAfterPassword(call, id, name)
  }
  await logAccess(call, name, false, false)
  throw problem('wrongPassword')
}

/** Creates the first administrator of an empty database, with the single-use token that was printed at start. */
export const setup: Handler = async (call) => {
  const body = await validateBody(call, call.contract.bodies.setup, call.body)
  const [username, first_name, last_name] = [body.username, body.first_name, body.last_name].map(String)
  refusePassword(body.password, { username, first_name, last_name }, call.settings)
  refuseWithoutPassword(username, call.settings)
  return call.db.transaction().execute((tx) => addFirstAdministrator({ ...call, db: tx }, body))
}

/** With EMERGENCY_ACCOUNT nobody else could sign in by the password that is set here. */
function refuseWithoutPassword(username: string, { EMERGENCY_ACCOUNT }: Call['settings']): void {
  if (!EMERGENCY_ACCOUNT || username.toLowerCase() === EMERGENCY_ACCOUNT.toLowerCase()) return
  throw fieldProblem({
    username: ['User name must be that of EMERGENCY_ACCOUNT, the only one with a password'],
  })
}

async function addFirstAdministrator(
  call: Call,
  { token, username, first_name, last_name, password }: SetupBody,
) {
  if (!(await useSetupToken(call.db, token))) throw problem('notFound')
  // After checking the token: anybody can call this, and hashing is expensive.
  const hash = await hashPassword(password, call.settings.PASSWORD_COST)
  const { rows } =
    await sql<Caller>`insert into staff (username, first_name, last_name, password_hash, groups)
    values (${username}, ${first_name}, ${last_name}, ${hash}, ${[ROLE.systemAdministrator]}) returning *`.execute(
      call.db,
    )
  const me = rows[0]
  await writeAuditEvent({ ...call, me }, { action: 'create', entity: 'staff', record: me.id, version: 1 })
  return replyAfterPassword(call, me.id, me.username.toLowerCase())
}

/** Ends the session; the reply has the address at which the person signs out at their provider too, if there is one. */
export const logout: Handler = async (call) => {
  const { db, request, reply } = call
  const token = tokenOf(request.headers.authorization) ?? ''
  const url = await endSessionUrl(call, token)
  await endSession(db, token)
  if (url) return { url }
  reply.code(204)
}

export const me: Handler = (call) => profileOf(call)

export const ping: Handler = async () => ({ ok: true })

/**
 * Starts or ends the caller's leave. Unauthenticated if the status changed meanwhile: somebody who was suspended or
 * retired has no session any more.
 */
export const switchStatus: Handler = async (call) => {
  const { db, me, contract } = call
  const { status } = await validateBody(call, contract.bodies.switchStatus, call.body)
  if (status === me.status) return profileOf(call)
  const { rows } = await sql<{ version: number }>`update staff set status = ${status}, version = version + 1
    where id = ${me.id} and status = ${me.status} returning version`.execute(db)
  if (!rows[0]) throw problem('unauthenticated')
  const changes = { status: { from: me.status, to: status } }
  await writeAuditEvent(call, {
    action: 'update',
    entity: 'staff',
    record: me.id,
    version: rows[0].version,
    changes,
  })
  return profileOf({ ...call, me: { ...me, status } })
}

export const leave: Handler = (call) => fetch(call, call.contract.entities.leave, call.me.id)

export const planLeave: Handler = (call) => planLeaveOf(call, call.me.id)

/** Sets the frequency of the caller's digest mail; the day of the change counts as sent. */
export const setDigest: Handler = async (call) => {
  const { db, me, contract, settings } = call
  const { digest } = await validateBody(call, contract.bodies.setDigest, call.body)
  if (digest === me.digest) return profileOf(call)
  const { rows } = await sql<{ version: number }>`update staff
    set digest = ${digest}, digest_sent = ${today(settings.TIME_ZONE)}, version = version + 1
    where id = ${me.id} returning version`.execute(db)
  const changes = { digest: { from: me.digest, to: digest } }
  const { version } = rows[0]
  await writeAuditEvent(call, { action: 'update', entity: 'staff', record: me.id, version, changes })
  return profileOf({ ...call, me: { ...me, digest } })
}

/** The newest consent text, which is read to a client, and its version. */
export const gdpr: Handler = async ({ db }) => {
  const { rows } = await sql<Consent>`select id::text as version, text from consent_texts
    order by id desc limit 1`.execute(db)
  return rows[0] ?? { version: '', text: '' }
}
