import { sql } from 'kysely'
import { logAccess } from '../../access/accessLog.ts'
import { mailPasswordChanged } from '../../access/changedMail.ts'
import { checkPassword } from '../../access/checkPassword.ts'
import { checkProof } from '../../access/checkProof.ts'
import { clearGuesses, countWrongLink, reserveGuess, tooManyGuesses } from '../../access/lockout.ts'
import { isPasswordOff } from '../../access/mayUsePassword.ts'
import { hashPassword } from '../../access/password.ts'
import { refusePassword } from '../../access/passwordRule.ts'
import { type Invited, invitedBy, useToken } from '../../access/resetLink.ts'
import { sendResetTo } from '../../access/resetMail.ts'
import { endSessionsOf, tokenOf } from '../../access/session.ts'
import { noteProof } from '../../access/stepUp.ts'
import { afterReply } from '../../core/afterReply.ts'
import type { Call, Handler } from '../../core/call.ts'
import { fieldProblem, problem } from '../../core/problems.ts'
import { writeAuditEvent } from '../../records/audit/audit.ts'
import { validateBody } from '../../records/validate/validateBody.ts'

/** Changes the caller's password. An open page is not enough: it needs the old password, with limited guesses. */
export const change: Handler = async (call) => {
  const { db, me, contract, request, reply } = call
  if (isPasswordOff(call.settings, me)) throw problem('passwordsOff')
  const body = await validateBody(call, contract.bodies.changePassword, call.body)
  const { old_password: oldPassword, password: newPassword } = body
  if (!(await isOwnPassword(call, oldPassword)))
    throw fieldProblem({ old_password: ['Old password is wrong'] })
  refusePassword(newPassword, me, call.settings)
  if (newPassword === oldPassword) throw fieldProblem({ password: ['Password must not be the old one'] })
  const hash = await hashPassword(newPassword, call.settings.PASSWORD_COST)
  await db
    .transaction()
    .execute((tx) => setPassword({ ...call, db: tx }, me.id, hash, tokenOf(request.headers.authorization)))
  mailPasswordChanged(call, me.id)
  reply.code(204)
}

/** Notes that the caller has proved again who they are, by their password, with limited guesses. */
export const confirm: Handler = async (call) => {
  if (isPasswordOff(call.settings, call.me)) throw problem('passwordsOff')
  const { password } = await validateBody(call, call.contract.bodies.confirmPassword, call.body)
  if (!(await isOwnPassword(call, password))) throw fieldProblem({ password: ['Password is wrong'] })
  await noteProof(call, 'password')
  call.reply.code(204)
}

/** True if a password is the caller's; a wrong one counts as a guess. */
function isOwnPassword(call: Call, password: string): Promise<boolean> {
  const { me } = call
  return checkProof(
    call,
    me.username,
    'user',
    async () => (await checkPassword(call, password, sql`s.id = ${me.id}`)) !== undefined,
  )
}

/** Mails a reset link. Neither the reply nor its duration reveals whether the person exists. */
export const request: Handler = async (call) => {
  const { username } = await validateBody(call, call.contract.bodies.forgotten, call.body)
  const name = username.trim().toLowerCase()
  if (!(await reserveGuess(call, name, 'reset'))) {
    await logAccess(call, name, false, true)
    throw tooManyGuesses(call, 'tooOften')
  }
  afterReply(call, () => sendResetTo(call, name))
  call.reply.code(204)
}

/** Validates a link and returns its user name, under which the browser saves the new password. */
export const check: Handler = async (call) => {
  const { username } = await verifyLink(call)
  return { username }
}

/** Sets a new password with a link, which works once, and ends a lockout by wrong passwords. */
export const set: Handler = async (call) => {
  const { db, contract, params, reply } = call
  const body = await validateBody(call, contract.bodies.newPassword, call.body)
  const invited = await verifyLink(call)
  const { password } = body
  refusePassword(password, invited, call.settings)
  const hash = await hashPassword(password, call.settings.PASSWORD_COST)
  await db.transaction().execute(async (tx) => {
    if (!(await useToken(tx, String(params.token)))) throw problem('deadLink')
    await setPassword({ ...call, db: tx }, invited.id, hash)
  })
  const name = invited.username.toLowerCase()
  await clearGuesses(call, name)
  await clearGuesses(call, name, 'reset')
  mailPasswordChanged(call, invited.id)
  reply.code(204)
}

/**
 * The person of a link. A valid link works whatever was tried before: its 256 bits cannot be guessed, and expired links
 * of an office must not lock its new ones. Invalid links are counted by address.
 */
async function verifyLink(call: Call): Promise<Invited> {
  const invited = await invitedBy(call, String(call.params.token))
  if (invited) return invited
  const isCounted = await countWrongLink(call)
  await logAccess(call, '', false, !isCounted)
  throw isCounted ? problem('deadLink') : tooManyGuesses(call, 'tooOften')
}

/**
 * Sets the hash of a person's new password, deletes their password links, and ends their sessions except that of
 * `exceptToken`. Call it in a transaction, and `mailPasswordChanged` after it.
 */
async function setPassword(call: Call, staff: number, hash: string, exceptToken?: string): Promise<void> {
  const { db, me } = call
  await sql`update staff set password_hash = ${hash} where id = ${staff}`.execute(db)
  await sql`delete from password_reset where staff = ${staff}`.execute(db)
  await sql`delete from known_device where staff = ${staff}`.execute(db)
  // Sign-ins that have begun with the old password.
  await sql`delete from sign_in_step where staff = ${staff}`.execute(db)
  await endSessionsOf(db, staff, exceptToken)
  // A caller without a session came by a link, so it is the person themselves.
  const by = me.id === 0 ? { ...me, id: staff } : me
  await writeAuditEvent({ ...call, me: by }, { action: 'password', entity: 'staff', record: staff })
}
