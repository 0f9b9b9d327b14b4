import { sql } from 'kysely'
import type { Passkey } from '../../../contract/types/entities.ts'
import { mailFactorChanged } from '../../access/changedMail.ts'
import { checkProof } from '../../access/checkProof.ts'
import { needsFactor } from '../../access/needsFactor.ts'
import { offersPasskeys } from '../../access/relyingParty.ts'
import {
  creationOptions,
  MAX_PASSKEYS,
  newPasskey,
  requestOptions,
  storePasskey,
  usePasskey,
} from '../../access/secondFactor/passkeys.ts'
import { endStep, personOfStep } from '../../access/secondFactor/signInStep.ts'
import { factorsOf, forgetProofs, hasFactor } from '../../access/secondFactors.ts'
import { tokenOf } from '../../access/session.ts'
import { noteProof } from '../../access/stepUp.ts'
import { hashToken } from '../../access/token.ts'
import type { Call, Handler } from '../../core/call.ts'
import { fieldProblem, problem } from '../../core/problems.ts'
import { singlePage } from '../../core/singlePage.ts'
import { writeAuditEvent } from '../../records/audit/audit.ts'
import { validateBody } from '../../records/validate/validateBody.ts'
import { noteSetUp } from './noteSetUp.ts'
import { sessionReply } from './sessionReply.ts'

/** Name of a passkey that is made in the middle of a sign-in; its person can give it another one. */
const FIRST_NAME = 'My passkey'

/**
 * What the browser needs to end a sign-in by a passkey: one that the person has, or a new one where their role needs a
 * second factor and they have none.
 */
export const askAtSignIn: Handler = async (call) => {
  const { token } = await validateBody(call, call.contract.bodies.signInStep, call.body)
  const person = await personOfStep(call.db, token)
  if (!person) throw problem('signOnExpired')
  refuseWithoutHost(call)
  const options = (await hasFactor(call.db, person.id))
    ? await requestOptions(call, person.id, hashToken(token), { verified: false })
    : await creationOptions(call, person, hashToken(token))
  return { options }
}

/** Ends a sign-in by a passkey; the reply to a new one has the recovery codes too. */
export const verify: Handler = async (call) => {
  const { token, credential, remember } = await validateBody(
    call,
    call.contract.bodies.verifyPasskey,
    call.body,
  )
  const person = await personOfStep(call.db, token)
  if (!person) throw problem('signOnExpired')
  const isNew = !(await hasFactor(call.db, person.id))
  const added = isNew
    ? await addPasskey(call, person.id, hashToken(token), FIRST_NAME, credential)
    : undefined
  const isRight = isNew
    ? added !== undefined
    : await checkProof(call, person.username, 'second', () =>
        usePasskey(call, person.id, hashToken(token), credential, { verified: false }),
      )
  if (!isRight) throw problem('passkeyRefused')
  if (!(await endStep(call.db, token))) throw problem('signOnExpired')
  const reply = await sessionReply(call, person.id, person.username.toLowerCase(), {
    proof: 'second factor',
    isTrusted: remember === 'yes',
  })
  return { ...reply, ...(added?.codes && { recovery_codes: added.codes }) }
}

/** The caller's passkeys. */
export const mine: Handler = async ({ db, me }) => {
  const { rows } = await sql<Passkey>`select id, name, created_at, used_at from passkey
    where staff = ${me.id} order by id`.execute(db)
  return singlePage(rows)
}

/** What the browser needs to make a passkey for the caller. */
export const begin: Handler = async (call) => {
  refuseWithoutHost(call)
  return { options: await creationOptions(call, call.me, sessionHash(call)) }
}

/** Adds a passkey that the browser has made; the reply to a first factor has recovery codes. */
export const add: Handler = async (call) => {
  const { me, contract } = call
  const { name, credential } = await validateBody(call, contract.bodies.addPasskey, call.body)
  const added = await addPasskey(call, me.id, sessionHash(call), name, credential)
  if (!added) throw problem('passkeyRefused')
  await noteProof(call, 'second factor')
  return { recovery_codes: added.codes ?? [] }
}

/** Gives a passkey of the caller another name. */
export const rename: Handler = async (call) => {
  const { db, me, contract, params, reply } = call
  const { name } = await validateBody(call, contract.bodies.renamePasskey, call.body)
  const { rows } = await sql`update passkey set name = ${name} where id = ${params.id} and staff = ${me.id}
    returning 1`.execute(db)
  if (!rows[0]) throw problem('notFound')
  await writeAuditEvent(call, { action: 'rename passkey', entity: 'staff', record: me.id })
  reply.code(204)
}

/** Removes a passkey of the caller, unless it is their only second factor and their role needs one. */
export const remove: Handler = async (call) => {
  const { db, me, params, reply } = call
  await sql`select 1 from staff where id = ${me.id} for update`.execute(db)
  const { rows } = await sql`delete from passkey where id = ${params.id} and staff = ${me.id}
    returning 1`.execute(db)
  if (!rows[0]) throw problem('notFound')
  const { authenticator, passkey } = await factorsOf(db, me.id)
  if (needsFactor(call, me.groups) && !authenticator && !passkey) throw problem('factorNeeded')
  await forgetProofs(db, me.id)
  await writeAuditEvent(call, { action: 'remove passkey', entity: 'staff', record: me.id })
  mailFactorChanged(call, me.id, 'A passkey was removed')
  reply.code(204)
}

/** What the browser needs to prove again by a passkey who the caller is. */
export const ask: Handler = async (call) => {
  refuseWithoutHost(call)
  return { options: await requestOptions(call, call.me.id, sessionHash(call), { verified: true }) }
}

/** Notes that the caller has proved again who they are, by a passkey that has verified them. */
export const prove: Handler = async (call) => {
  const { me, contract, reply } = call
  const { credential } = await validateBody(call, contract.bodies.confirmPasskey, call.body)
  const isRight = await checkProof(call, me.username, 'second', () =>
    usePasskey(call, me.id, sessionHash(call), credential, { verified: true }),
  )
  if (!isRight) throw problem('passkeyRefused')
  await noteProof(call, 'second factor')
  reply.code(204)
}

/**
 * Adds a passkey, with recovery codes if it is a first factor; undefined if the browser did not make it here and now.
 */
async function addPasskey(
  call: Call,
  staff: number,
  tokenHash: Buffer,
  name: string,
  made: unknown,
): Promise<{ codes: string[] | undefined } | undefined> {
  const passkey = await newPasskey(call, tokenHash, made)
  if (!passkey) return undefined
  return call.db.transaction().execute(async (tx) => {
    if (!(await storePasskey(tx, staff, name, passkey)))
      throw fieldProblem({ name: [`You have this passkey already, or ${MAX_PASSKEYS} others`] })
    return { codes: await noteSetUp({ ...call, db: tx }, staff, 'passkey') }
  })
}

function refuseWithoutHost(call: Call): void {
  if (!offersPasskeys(call)) throw problem('noPasskeys')
}

/** Hash of the token of the caller's session, to which a challenge is bound. */
function sessionHash({ request }: Call): Buffer {
  return hashToken(tokenOf(request.headers.authorization) ?? '')
}
