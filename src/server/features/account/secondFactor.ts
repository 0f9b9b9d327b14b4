import { sql } from 'kysely'
import { mailFactorChanged } from '../../access/changedMail.ts'
import { checkProof } from '../../access/checkProof.ts'
import { needsFactor } from '../../access/needsFactor.ts'
import { offersPasskeys } from '../../access/relyingParty.ts'
import { hasAuthenticator, offerSecret, useCode } from '../../access/secondFactor/authenticator.ts'
import { makeRecoveryCodes, useRecoveryCode } from '../../access/secondFactor/recoveryCodes.ts'
import { endStep, personOfStep } from '../../access/secondFactor/signInStep.ts'
import { addressOf, qrOf } from '../../access/secondFactor/totp.ts'
import { factorsOf, forgetProofs, hasFactor, removeFactors } from '../../access/secondFactors.ts'
import { endSessionsOf } from '../../access/session.ts'
import { noteProof } from '../../access/stepUp.ts'
import type { Call, Handler } from '../../core/call.ts'
import { fieldProblem, problem } from '../../core/problems.ts'
import { writeAuditEvent } from '../../records/audit/audit.ts'
import { validateBody } from '../../records/validate/validateBody.ts'
import { fetch } from '../../records/verbs/read.ts'
import { noteSetUp } from './noteSetUp.ts'
import { sessionReply } from './sessionReply.ts'

const WRONG_CODE = { code: ['Code is wrong, or was used already'] }

/**
 * Begins to set up an app in the middle of a sign-in, where the role of the person needs a factor and they have none.
 */
export const enrol: Handler = async (call) => {
  const { token } = await validateBody(call, call.contract.bodies.signInStep, call.body)
  const person = await personOfStep(call.db, token)
  if (!person) throw problem('signOnExpired')
  // Somebody who knows only the password must not set up a factor instead of the existing one.
  if (await hasFactor(call.db, person.id)) throw problem('taken')
  return enrolment(call, person)
}

/** Ends a sign-in with a code of the app or a recovery code; the reply to a first code has the recovery codes too. */
export const verify: Handler = async (call) => {
  const { token, code, remember } = await validateBody(call, call.contract.bodies.verifyCode, call.body)
  const person = await personOfStep(call.db, token)
  if (!person) throw problem('signOnExpired')
  const isNew = !(await hasFactor(call.db, person.id))
  const isRight = await checkProof(call, person.username, 'second', () =>
    isNew ? useCode(call, person.id, code, { confirms: true }) : isCode(call, person.id, code),
  )
  if (!isRight) throw fieldProblem(WRONG_CODE)
  if (!(await endStep(call.db, token))) throw problem('signOnExpired')
  const codes = isNew && (await noteSetUp(call, person.id, 'authenticator'))
  const reply = await sessionReply(call, person.id, person.username.toLowerCase(), {
    proof: 'second factor',
    isTrusted: remember === 'yes',
  })
  return codes ? { ...reply, recovery_codes: codes } : reply
}

/**
 * Which second factors the caller has and can have, how many recovery codes are left, and whether their role needs one.
 */
export const mine: Handler = async (call) => {
  const { db, me, settings } = call
  const { rows } = await sql<{ left: number }>`select count(*)::int as left from recovery_code
    where staff = ${me.id}`.execute(db)
  const { authenticator, passkey } = await factorsOf(db, me.id)
  return {
    is_offered: settings.ENCRYPTION_KEY !== '',
    is_on: authenticator,
    passkeys_offered: offersPasskeys(call),
    has_passkey: passkey,
    is_needed: needsFactor(call, me.groups),
    recovery_left: rows[0].left,
  }
}

/** Begins to set up an app for the caller. */
export const begin: Handler = (call) => enrolment(call, call.me)

/** Confirms the caller's app by a first code of it; the reply to a first factor has recovery codes. */
export const confirm: Handler = async (call) => {
  const { me } = call
  const { code } = await validateBody(call, call.contract.bodies.confirmCode, call.body)
  if (await hasAuthenticator(call.db, me.id)) throw problem('taken')
  const isRight = await checkProof(call, me.username, 'second', () =>
    useCode(call, me.id, code, { confirms: true }),
  )
  if (!isRight) throw fieldProblem(WRONG_CODE)
  await noteProof(call, 'second factor')
  return { recovery_codes: (await noteSetUp(call, me.id, 'authenticator')) ?? [] }
}

/** Proves again by a code who the caller is. */
export const prove: Handler = async (call) => {
  const { me } = call
  const { code } = await validateBody(call, call.contract.bodies.confirmCode, call.body)
  const isRight =
    (await hasAuthenticator(call.db, me.id)) &&
    (await checkProof(call, me.username, 'second', () => isCode(call, me.id, code)))
  if (!isRight) throw fieldProblem(WRONG_CODE)
  await noteProof(call, 'second factor')
  call.reply.code(204)
}

/** Gives the caller new recovery codes instead of those they have. */
export const renewCodes: Handler = async (call) => {
  const { db, me } = call
  if (!(await hasFactor(db, me.id))) throw problem('notFound')
  const codes = await makeRecoveryCodes(db, me.id)
  await writeAuditEvent(call, { action: 'recovery codes', entity: 'staff', record: me.id })
  mailFactorChanged(call, me.id, 'New recovery codes were made')
  return { recovery_codes: codes }
}

/** Removes the caller's app, unless their role needs a second factor and they have no passkey. */
export const remove: Handler = async (call) => {
  const { db, me, reply } = call
  await sql`select 1 from staff where id = ${me.id} for update`.execute(db)
  const { passkey } = await factorsOf(db, me.id)
  if (needsFactor(call, me.groups) && !passkey) throw problem('factorNeeded')
  await sql`delete from authenticator where staff = ${me.id}`.execute(db)
  await forgetProofs(db, me.id)
  await writeAuditEvent(call, { action: 'remove second factor', entity: 'staff', record: me.id })
  mailFactorChanged(call, me.id, 'An authenticator app was removed')
  reply.code(204)
}

/** Removes the second factors of a person who has lost them, and ends their sessions; both get an email. */
export const reset: Handler = async (call) => {
  const { contract, db, me, params } = call
  const person = await fetch(call, contract.entities.staff, params.id)
  await removeFactors(db, person.id)
  if (person.id !== me.id) await endSessionsOf(db, person.id)
  await writeAuditEvent(call, { action: 'reset second factor', entity: 'staff', record: person.id })
  const what = 'A second factor was reset by an administrator'
  mailFactorChanged(call, person.id, what)
  if (person.id !== me.id) mailFactorChanged(call, me.id, what, person.id)
  return person
}

async function enrolment(call: Call, { id, username }: { id: number; username: string }) {
  if (call.settings.ENCRYPTION_KEY === '') throw problem('notFound')
  const secret = await offerSecret(call, id)
  if (secret === undefined) throw problem('taken')
  const address = await addressOf(secret, username, call.settings.PRODUCT_NAME)
  return { secret: secret.match(/.{1,4}/g)!.join(' '), address, qr: await qrOf(address) }
}

/** True for a right code of a person's app, or a recovery code of theirs, which is used up with an audit event. */
async function isCode(call: Call, staff: number, code: string): Promise<boolean> {
  // A recovery code works also while codes of apps cannot be checked.
  if (/^\d*$/.test(code.replaceAll(/\s/g, ''))) return useCode(call, staff, code)
  if (!(await useRecoveryCode(call.db, staff, code))) return false
  const me = { ...call.me, id: staff }
  await writeAuditEvent({ ...call, me }, { action: 'use recovery code', entity: 'staff', record: staff })
  return true
}
