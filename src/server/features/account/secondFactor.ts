import { sql } from 'kysely'
import { logAccess } from '../../access/accessLog.ts'
import { mailFactorChanged } from '../../access/changedMail.ts'
import { clearGuesses, reserveGuess, tooManyGuesses } from '../../access/lockout.ts'
import {
  hasAuthenticator,
  offerSecret,
  removeFactor,
  useCode,
} from '../../access/secondFactor/authenticator.ts'
import { needsFactor } from '../../access/secondFactor/needsFactor.ts'
import { makeRecoveryCodes, useRecoveryCode } from '../../access/secondFactor/recoveryCodes.ts'
import { endStep, personOfStep } from '../../access/secondFactor/signInStep.ts'
import { addressOf, qrOf } from '../../access/secondFactor/totp.ts'
import { endSessionsOf } from '../../access/session.ts'
import { noteProof } from '../../access/stepUp.ts'
import type { Call, Handler } from '../../core/call.ts'
import { fieldProblem, problem } from '../../core/problems.ts'
import { writeAuditEvent } from '../../records/audit/audit.ts'
import { validateBody } from '../../records/validate/validateBody.ts'
import { fetch } from '../../records/verbs/read.ts'
import { sessionReply } from './sessionReply.ts'

/** Begins to set up an app in the middle of a sign-in, where the role of the person needs one. */
export const enrol: Handler = async (call) => {
  const { token } = await validateBody(call, call.contract.bodies.signInStep, call.body)
  const person = await personOfStep(call.db, token)
  if (!person) throw problem('signOnExpired')
  return enrolment(call, person)
}

/** Ends a sign-in with a code of the app or a recovery code; the reply to a first code has the recovery codes too. */
export const verify: Handler = async (call) => {
  const { token, code, remember } = await validateBody(call, call.contract.bodies.verifyCode, call.body)
  const person = await personOfStep(call.db, token)
  if (!person) throw problem('signOnExpired')
  const isNew = !(await hasAuthenticator(call.db, person.id))
  const isRight = await isCode(call, person, code)
  if (!isRight) throw fieldProblem({ code: ['Code is wrong, or was used already'] })
  if (!(await endStep(call.db, token))) throw problem('signOnExpired')
  const codes = isNew && (await call.db.transaction().execute((tx) => setUp({ ...call, db: tx }, person.id)))
  const reply = await sessionReply(call, person.id, person.username.toLowerCase(), remember === 'yes')
  return codes ? { ...reply, recovery_codes: codes } : reply
}

/** Whether the caller has a second factor, how many recovery codes are left, and whether their role needs one. */
export const mine: Handler = async (call) => {
  const { db, me, settings } = call
  const { rows } = await sql<{ left: number; confirmed_at: Date | null }>`select
      (select count(*)::int from recovery_code where staff = ${me.id}) as left,
      (select confirmed_at from authenticator where staff = ${me.id}) as confirmed_at`.execute(db)
  const [{ left, confirmed_at }] = rows
  return {
    is_offered: settings.ENCRYPTION_KEY !== '',
    is_on: confirmed_at !== null,
    is_needed: needsFactor(call, me.groups),
    recovery_left: left,
  }
}

/** Begins to set up an app for the caller. */
export const begin: Handler = (call) => enrolment(call, call.me)

/** Confirms the caller's app by a first code of it, and gives them their recovery codes. */
export const confirm: Handler = async (call) => {
  const { code } = await validateBody(call, call.contract.bodies.confirmCode, call.body)
  if (await hasAuthenticator(call.db, call.me.id)) throw problem('taken')
  if (!(await isCode(call, call.me, code)))
    throw fieldProblem({ code: ['Code is wrong, or was used already'] })
  return {
    recovery_codes: await call.db.transaction().execute((tx) => setUp({ ...call, db: tx }, call.me.id)),
  }
}

/** Proves again by a code who the caller is. */
export const prove: Handler = async (call) => {
  const { code } = await validateBody(call, call.contract.bodies.confirmCode, call.body)
  const isRight = (await hasAuthenticator(call.db, call.me.id)) && (await isCode(call, call.me, code))
  if (!isRight) throw fieldProblem({ code: ['Code is wrong, or was used already'] })
  await noteProof(call)
  call.reply.code(204)
}

/** Gives the caller new recovery codes instead of those they have. */
export const renewCodes: Handler = async (call) => {
  const { db, me } = call
  if (!(await hasAuthenticator(db, me.id))) throw problem('notFound')
  const codes = await makeRecoveryCodes(db, me.id)
  await writeAuditEvent(call, { action: 'recovery codes', entity: 'staff', record: me.id })
  return { recovery_codes: codes }
}

/** Removes the caller's second factor, unless their role needs one. */
export const remove: Handler = async (call) => {
  const { db, me, reply } = call
  if (needsFactor(call, me.groups)) throw problem('factorNeeded')
  await removeFactor(db, me.id)
  await writeAuditEvent(call, { action: 'remove second factor', entity: 'staff', record: me.id })
  mailFactorChanged(call, me.id, 'removed')
  reply.code(204)
}

/** Removes the second factor of a person who has lost it, and ends their sessions; both are told by mail. */
export const reset: Handler = async (call) => {
  const { contract, db, me, params } = call
  const person = await fetch(call, contract.entities.staff, params.id)
  await removeFactor(db, person.id)
  if (person.id !== me.id) await endSessionsOf(db, person.id)
  await writeAuditEvent(call, { action: 'reset second factor', entity: 'staff', record: person.id })
  mailFactorChanged(call, person.id, 'reset by an administrator')
  if (person.id !== me.id) mailFactorChanged(call, me.id, 'reset by an administrator', person.id)
  return person
}

async function enrolment(call: Call, { id, username }: { id: number; username: string }) {
  if (call.settings.ENCRYPTION_KEY === '') throw problem('notFound')
  const secret = await offerSecret(call, id)
  if (secret === undefined) throw problem('taken')
  const address = await addressOf(secret, username, call.settings.PRODUCT_NAME)
  return { secret: secret.match(/.{1,4}/g)!.join(' '), address, qr: await qrOf(address) }
}

/** True for a right code of a person's app or a recovery code of theirs; a wrong one counts as a guess. */
async function isCode(call: Call, { id, username }: { id: number; username: string }, code: string) {
  const name = username.toLowerCase()
  if (!(await reserveGuess(call, name))) {
    await logAccess(call, name, false, true)
    throw tooManyGuesses(call, 'locked')
  }
  const isRight = (await useCode(call, id, code)) || (await isRecoveryCode(call, id, code))
  if (isRight) await clearGuesses(call, name)
  else await logAccess(call, name, false, false)
  return isRight
}

/** Uses a recovery code up, with an audit event. */
async function isRecoveryCode(call: Call, staff: number, code: string): Promise<boolean> {
  if (!(await useRecoveryCode(call.db, staff, code))) return false
  const me = { ...call.me, id: staff }
  await writeAuditEvent({ ...call, me }, { action: 'use recovery code', entity: 'staff', record: staff })
  return true
}

async function setUp(call: Call, staff: number): Promise<string[]> {
  const codes = await makeRecoveryCodes(call.db, staff)
  const me = { ...call.me, id: staff }
  await writeAuditEvent({ ...call, me }, { action: 'set up second factor', entity: 'staff', record: staff })
  mailFactorChanged(call, staff, 'set up')
  return codes
}
