import { sql } from 'kysely'
import { ROLE } from '../../../contract/roles.ts'
import type { ReferralComment, ReferralMessage } from '../../../contract/types/entities.ts'
import type { Call, Handler } from '../../core/call.ts'
import { fieldProblem } from '../../core/problems.ts'
import { writeAuditEvent } from '../../records/audit/audit.ts'
import { validateBody } from '../../records/validate/validateBody.ts'
import { lockRow } from '../../records/verbs/lockRow.ts'
import { fetch, fetchAny } from '../../records/verbs/read.ts'
import { isSender, markAnswered } from './decide.ts'
import { mailReferrer } from './mailReferrer.ts'
import { addMessage } from './messages.ts'

/** Writes to the other side of a referral; a message of its sender also answers a request for more information. */
export const write: Handler = async (call) => {
  const { contract, body, params } = call
  const request = await fetch(call, contract.entities.referralRequest, params.id)
  const { text } = await validateBody(call, contract.bodies.referralText, body)
  const id = await addMessage(call, request, text)
  if (isSender(call, request)) await markAnswered(call, request.id)
  call.reply.code(201)
  return fetchAny(call, contract.entities.referralMessage, id)
}

/** Marks a message as read or unread by the caller's hub; administrators of neither hub act for the receiving one. */
export const mark: Handler = async (call) => {
  const { contract, body, params, me, db } = call
  const { referralMessage } = contract.entities
  const message = await lockedMessage(call)
  const { read: isRead } = body
  if (typeof isRead !== 'boolean') throw fieldProblem({ read: ['must be true or false'] })
  const isOwn = me.hub !== null && (me.hub === message.hub || me.hub === message.from_hub)
  const hub = isOwn ? me.hub : me.groups.includes(ROLE.systemAdministrator) ? message.hub : null
  if (isRead)
    await sql`update referral_messages set unread_by = null, read_at = coalesce(read_at, now()), version = version + 1,
      updated_at = now() where id = ${params.id} and (unread_by = ${hub} or ${!isOwn})`.execute(db)
  else
    await sql`update referral_messages set unread_by = ${hub}, version = version + 1, updated_at = now()
      where id = ${params.id} and unread_by is null`.execute(db)
  return fetchAny(call, referralMessage, params.id)
}

/** Adds a note to a message, visible only to the writer's hub. */
export const comment: Handler = async (call) => {
  const { text } = await validateBody(call, call.contract.bodies.noteForUs, call.body)
  const message = await lockedMessage(call)
  return addComment(call, { message: message.id, hub: hubOf(call, message), text, is_shared: false })
}

/** Adds a note to a referral, visible only to the writer's hub. */
export const note: Handler = async (call) => {
  const { text } = await validateBody(call, call.contract.bodies.noteForUs, call.body)
  const request = await fetch(call, call.contract.entities.referralRequest, call.params.id)
  return addComment(call, { request: request.id, hub: hubOf(call, request), text, is_shared: false })
}

/**
 * Answers a message, which becomes unread for the other side; both sides see the answer. An answer of the sending hub
 * sets a referral that waits for it back to new.
 */
export const answer: Handler = async (call) => {
  const { contract, body, me, db } = call
  const message = await lockedMessage(call)
  const { text } = await validateBody(call, contract.bodies.answerToReferrer, body)
  const isOfSender = me.hub !== null && me.hub === message.from_hub
  const other = isOfSender ? message.hub : message.from_hub
  await sql`update referral_messages set unread_by = ${other}, version = version + 1, updated_at = now()
    where id = ${message.id}`.execute(db)
  if (message.request !== null) {
    const request = await fetchAny(call, contract.entities.referralRequest, message.request)
    if (isSender(call, request)) await markAnswered(call, request.id)
    mailReferrer(call, request, 'written')
  }
  return addComment(call, { message: message.id, hub: hubOf(call, message), text, is_shared: true })
}

async function lockedMessage(call: Call): Promise<ReferralMessage> {
  const { referralMessage } = call.contract.entities
  await lockRow(call, referralMessage)
  return fetch(call, referralMessage, call.params.id)
}

/** The hub that the caller acts for. A message between a hub and a referrer from outside has one hub only. */
function hubOf({ me }: Call, { hub, from_hub }: Pick<ReferralMessage, 'hub' | 'from_hub'>): number | null {
  return me.hub !== null && me.hub === from_hub ? from_hub : (hub ?? from_hub)
}

interface NewComment {
  /** The message or the referral that it is about; one of the two is set. */
  message?: number
  request?: number
  hub: number | null
  text: string
  is_shared: boolean
}

async function addComment(call: Call, row: NewComment): Promise<ReferralComment> {
  const { contract, me, db } = call
  const { message = null, request = null, hub, text, is_shared } = row
  const { rows } = await sql<{
    id: number
  }>`insert into referral_comments (message, request, hub, text, is_shared, created_by)
    values (${message}, ${request}, ${hub}, ${text}, ${is_shared}, ${me.id}) returning id`.execute(db)
  const { id } = rows[0]
  await writeAuditEvent(call, { action: 'create', entity: 'referralComment', record: id, version: 1 })
  call.reply.code(201)
  return fetchAny(call, contract.entities.referralComment, id)
}
