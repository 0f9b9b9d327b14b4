import { sql } from 'kysely'
import { STATUS } from '../../../contract/status.ts'
import type { Staff } from '../../../contract/types/entities.ts'
import { maySignIn } from '../../access/maySignIn.ts'
import { sendReset } from '../../access/resetMail.ts'
import { endSessionOf, endSessionsOf, tokenOf } from '../../access/session.ts'
import { sessionPage } from '../../access/sessionPage.ts'
import { refuseStale } from '../../access/stepUp.ts'
import type { Call, Handler } from '../../core/call.ts'
import { problem } from '../../core/problems.ts'
import { writeAuditEvent } from '../../records/audit/audit.ts'
import { describeChanges } from '../../records/audit/describeChanges.ts'
import { conditionsOf } from '../../records/query/query.ts'
import { create } from '../../records/verbs/create.ts'
import { list, pageOf } from '../../records/verbs/list.ts'
import { fetch } from '../../records/verbs/read.ts'
import { update } from '../../records/verbs/update.ts'
import { handOverWork } from './handOver.ts'
import { leftWorkOf } from './leftWork.ts'
import { openWorkOf } from './openWork.ts'
import { planLeave as planLeaveOf } from './planLeave.ts'
import { lockStaff, refuseStaff } from './staffRules.ts'
import { switchToday } from './switchLeave.ts'

/** A person's record. */
export const read: Handler = async (call) => withMe(call, await personOf(call))

/** Adds a person, active by default, and mails a link to set a password; if the mail fails, nobody is added. */
export const add: Handler = async (call) => {
  const { contract, body } = call
  const person = await create({ ...call, body: { status: STATUS.active, ...body } }, contract.entities.staff)
  if (maySignIn(person)) await sendReset(call, person.id, true)
  return withMe(call, person)
}

/**
 * Changes a person's record. If they may no longer sign in, their sessions end and their password links become void; a
 * change of email address or user name makes the links void too.
 */
export const edit: Handler = async (call) => {
  const { db, contract, params, settings } = call
  await lockStaff(call)
  const before = await fetch(call, contract.entities.staff, params.id)
  await update(call, contract.entities.staff)
  // Leave that has begun already takes effect at once.
  await switchToday(db, settings)
  const after = await fetch(call, contract.entities.staff, params.id)
  await refuseStaff(call, before, after)
  const isShutOut = maySignIn(before) && !maySignIn(after)
  if (isShutOut) await endSessionsOf(db, after.id)
  if (isShutOut || before.email !== after.email || before.username !== after.username)
    await sql`delete from password_reset where staff = ${after.id}`.execute(db)
  return withMe(call, after)
}

export const planLeave: Handler = (call) => planLeaveOf(call, Number(call.params.id))

export const sendLink: Handler = async (call) => {
  const person = await personOf(call)
  await sendReset(call, person.id)
  await writeAuditEvent(call, { action: 'password link', entity: 'staff', record: person.id })
  return withMe(call, person)
}

export const sessions: Handler = async (call) => sessionPage(call, (await personOf(call)).id)

export const endSession: Handler = async (call) => {
  const { db, params, reply } = call
  const { rows } = await sql<{ staff: number }>`select staff from session where id = ${params.id}`.execute(db)
  // A session of one's own wants the same proof here as under Profile.
  if (rows[0]?.staff === call.me.id) await refuseStale(call)
  if (!rows[0] || !(await endSessionOf(db, rows[0].staff, Number(params.id)))) throw problem('notFound')
  await writeAuditEvent(call, { action: 'end session', entity: 'staff', record: rows[0].staff })
  reply.code(204)
}

/** Ends all sessions of a person; if it is the caller, all but the current one. */
export const endSessions: Handler = async (call) => {
  const { db, me, request } = call
  const person = await personOf(call)
  if (person.id === me.id) await refuseStale(call)
  const exceptToken = person.id === me.id ? tokenOf(request.headers.authorization) : undefined
  const ended = await endSessionsOf(db, person.id, exceptToken)
  if (ended > 0) await writeAuditEvent(call, { action: 'end sessions', entity: 'staff', record: person.id })
  return { ended, words: ended === 1 ? '1 session' : `${ended} sessions` }
}

/** Audit events of a person's record, newest first, with changes in words. */
export const history: Handler = async (call) => {
  await personOf(call)
  const page = await list(call, call.contract.entities.staffHistory)
  const changes = await describeChanges(call, page.data)
  return { ...page, data: page.data.map((row, i) => ({ ...row, changes: changes[i] })) }
}

/** A bare list of `{id, label, to}` with the open work of a person, for the check before they leave. */
export const openWork: Handler = async (call) => openWorkOf(call, await personOf(call))

export const handOver: Handler = async (call) => handOverWork(call, await personOf(call))

/** Open work of people who were retired or suspended, as far as the caller may see it. */
export const leftWork: Handler = (call) => {
  const isLeft = sql`r.is_left`
  const { openWorkRow } = call.contract.entities
  return pageOf(call, openWorkRow, [isLeft, ...conditionsOf(call)], { unique: isLeft })
}

/**
 * Adds `is_me` to a record, so that pages do not offer people to retire themselves, and what is left if they may not
 * sign in any more.
 */
async function withMe({ db, me }: Call, person: Staff) {
  return { ...person, ...(await leftWorkOf(db, person)), is_me: person.id === me.id }
}

function personOf(call: Call): Promise<Staff> {
  return fetch(call, call.contract.entities.staff, call.params.id)
}
