import { sql } from 'kysely'
import { REFERRAL_LINK_DAYS } from '../../../contract/limits.ts'
import { REFERRAL_STATUS } from '../../../contract/status.ts'
import type { PublicReferralStatus } from '../../../contract/types/entities.ts'
import type { Call, Handler } from '../../core/call.ts'
import type { Db } from '../../core/db.ts'
import { problem } from '../../core/problems.ts'
import { writeAuditEvent } from '../../records/audit/audit.ts'
import { insertRow } from '../../records/query/columns.ts'
import { validateBody } from '../../records/validate/validateBody.ts'
import { markAnswered } from './decide.ts'
import {
  findSubmission,
  firstSecret,
  makeReference,
  referralBySecret,
  type Submission,
  submissionOf,
} from './links.ts'
import { mailReferrer } from './mailReferrer.ts'
import { ownChoices, publicForm, withChoices } from './publicForm.ts'
import { canMail, countConfirmation, enforceReferralLimits } from './publicLimits.ts'
import { type NewRequest, referralOf } from './publicSubmission.ts'

/** The unique constraint that fails if the same form is submitted twice at the same moment. */
const SUBMISSION_CONSTRAINT = 'referral_links_sent'

/** The public form of a service, with all choices of its fields. */
export const form: Handler = async (call) => {
  const found = await publicForm(call, call.params.service)
  const { service, title, intro, routes, caseTypes, caseType } = found
  const others = [...caseTypes.values()].filter(({ id }) => id !== caseType.id)
  const forms = [caseType, ...others].map(async ({ id, version, groups }) => ({
    council_areas:
      id === caseType.id ? [] : routes.flatMap((r) => (r.case_type === id ? r.council_area : [])),
    version,
    groups: await withChoices(call, found, groups),
  }))
  return { service, title, intro, choices: await ownChoices(call), forms: await Promise.all(forms) }
}

/** Creates a referral from outside. The reply is the same whether the person is known or not, and for spam. */
export const create: Handler = async (call) => {
  const { body, db, request, reply } = call
  const submission = submissionOf(request.headers['idempotency-key'], body)
  const known = await replyOf(call, submission)
  if (known) {
    reply.code(201)
    return known
  }
  const row = await referralOf(call)
  const isSpam = row.status === REFERRAL_STATUS.spam
  await enforceReferralLimits(call, row)
  const id = await db
    .transaction()
    .execute((tx) => addReferral({ ...call, db: tx }, row, submission))
    .catch((error) => {
      if (error.constraint !== SUBMISSION_CONSTRAINT) throw error
    })
  // Count spam too, so that its reply is the same.
  const isConfirmed = id !== undefined && (await countConfirmation(db, row))
  if (isConfirmed && !isSpam) mailReferrer(call, { ...row, id }, 'received')
  reply.code(201)
  return replyOf(call, submission)
}

/** The status of a referral, by the secret of its link. */
export const status: Handler = async (call) => {
  const { secret } = await validateBody(call, call.contract.bodies.referralSecret, call.body)
  const referral = await referralBySecret(call.db, secret)
  if (!referral) throw problem('deadReferralLink')
  return statusOf(call.db, referral.id)
}

/** Adds the referrer's answer to our question, and sets the status of the referral back to new. */
export const answer: Handler = async (call) => {
  const { secret, text } = await validateBody(call, call.contract.bodies.publicAnswer, call.body)
  return call.db.transaction().execute(async (tx) => {
    const inTx = { ...call, db: tx }
    const found = await referralBySecret(tx, secret)
    if (!found) throw problem('deadReferralLink')
    const { id: referral, hub } = found
    // Waits for a decision that is made at the same moment.
    await sql`select from referral_requests where id = ${referral} for update`.execute(tx)
    const sent = `${text}`.trim()
    const { messages, may_answer } = await statusOf(tx, referral)
    const last = messages.at(-1)
    // The same text again is a second click, or a reload of the submitted page.
    if (!(last?.is_own && last.text === sent)) {
      if (!may_answer) throw problem('referralClosed')
      const message = await sql<{ id: number }>`insert into referral_messages (hub, request, text, unread_by)
        values (${hub}, ${referral}, ${sent}, ${hub}) returning id`.execute(tx)
      const { id } = message.rows[0]
      await writeAuditEvent(inTx, { action: 'create', entity: 'referralMessage', record: id, version: 1 })
      await markAnswered(inTx, referral)
    }
    return statusOf(tx, referral)
  })
}

/**
 * The reply to a submission, also to a repeated one: reference, secret, and whether a link is mailed. Spam gets the
 * same reply.
 */
async function replyOf({ db, settings }: Call, submission: Submission) {
  const found = await findSubmission(db, submission)
  if (!found) return undefined
  const { reference, secret, referral } = found
  return { reference, secret, mailed: settings.SMTP_URL !== '' && (await canMail(db, referral)) }
}

/** Stores a referral and its first link; returns its id. */
async function addReferral(call: Call, row: NewRequest, submission: Submission): Promise<number> {
  const { db } = call
  const { rows } = await insertRow('referral_requests', { ...row, reference: makeReference() }).execute(db)
  const { id } = rows[0] as { id: number }
  const { hash, salt } = firstSecret(submission)
  await sql`insert into referral_links (secret_hash, request, sent_hash, salt)
    values (${hash}, ${id}, ${submission.hash}, ${salt})`.execute(db)
  await writeAuditEvent(call, { action: 'create', entity: 'referralRequest', record: id, version: 1 })
  return id
}

interface PublicStatus {
  messages: { is_own: boolean; text: string; sent_on: string }[]
  may_answer: boolean
  [name: string]: unknown
}

/** The content of the status page. Spam has the status of a new referral. */
async function statusOf(db: Db, id: number): Promise<PublicStatus> {
  const { rows } = await sql<{
    is_own: boolean
    text: string
    sent_on: string
  }>`select m.from_hub is null as is_own, m.text, m.created_at::date as sent_on, m.created_at as at
      from referral_messages m where m.request = ${id}
    union all select false, c.text, c.created_at::date, c.created_at
      from referral_comments c join referral_messages m on m.id = c.message
      where m.request = ${id} and c.is_shared order by at`.execute(db)
  const messages = rows.map(({ is_own, text, sent_on }) => ({ is_own, text, sent_on }))
  const { rows: referrals } = await sql<
    Omit<PublicReferralStatus, 'status' | 'may_answer' | 'messages'> & { status: number }
  >`select reference, status, decision_text, created_at::date as sent_on,
    decided_at::date as decided_on, decided_at::date + ${REFERRAL_LINK_DAYS}::int as expires_on
    from referral_requests where id = ${id}`.execute(db)
  const [{ status, ...referral }] = referrals
  const isOpen = status === REFERRAL_STATUS.new || status === REFERRAL_STATUS.moreInformation
  return {
    ...referral,
    status: status === REFERRAL_STATUS.spam ? REFERRAL_STATUS.new : status,
    may_answer: isOpen && messages.at(-1)?.is_own === false,
    messages,
  }
}
