import { sql } from 'kysely'
import { translateSince } from '../../../contract/answerMigration/translateAnswers.ts'
import { applyChanges } from '../../../contract/applyChanges.ts'
import {
  CONFIRMATIONS_PER_EMAIL,
  REFERRAL_LINK_DAYS,
  REFERRALS_PER_ADDRESS,
  REFERRALS_PER_EMAIL,
} from '../../../contract/limits.ts'
import { REFERRAL_STATUS } from '../../../contract/status.ts'
import type { PublicReferralStatus, ReferralRequest } from '../../../contract/types/entities.ts'
import { isPlainObject, isSet, type Values } from '../../../contract/when.ts'
import { networkOf } from '../../access/network.ts'
import { enforceDailyLimit, exceedsDailyLimit } from '../../access/rateLimit.ts'
import { ajvValidate } from '../../core/ajvValidate.ts'
import type { Call, Handler } from '../../core/call.ts'
import type { Db } from '../../core/db.ts'
import { fieldProblem, prefixed, problem, refuse } from '../../core/problems.ts'
import { today } from '../../core/today.ts'
import { answerMigrationsSince } from '../../records/answerMigrations/translateSent.ts'
import { writeAuditEvent } from '../../records/audit/audit.ts'
import { insertRow } from '../../records/query/columns.ts'
import { refuseUnknownItems } from '../../records/validate/refuseUnknownItems.ts'
import { unknownKeyErrors } from '../../records/validate/unknownKeys.ts'
import { validateBody } from '../../records/validate/validateBody.ts'
import { markAnswered } from './decide.ts'
import {
  findSubmission,
  firstSecret,
  type MailedReferral,
  makeReference,
  referralBySecret,
  type Submission,
  submissionOf,
} from './links.ts'
import { mailAddressOf, mailReferrer } from './mailReferrer.ts'
import {
  ownChoices,
  type PublicCaseType,
  type PublicForm,
  publicContext,
  publicForm,
  routeOf,
  withChoices,
} from './publicForm.ts'

/** The unique constraint that fails if the same form is submitted twice at the same moment. */
const SUBMISSION_CONSTRAINT = 'referral_links_sent'
/** Fields of a public referral that describe the client; those in REFERRER describe the referrer. */
const PERSON = ['first_name', 'last_name', 'dob', 'phone', 'email', 'postcode', 'comm_needs']
const REFERRER = [
  'about',
  'referrer_name',
  'referrer_relation',
  'referrer_organisation',
  'consent',
  'contact_by',
  'contact_phone',
  'contact_email',
]

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

/** True if the referrer gave a mail address that has not had too many confirmations today. */
function canMail(db: Db, referral: Pick<MailedReferral, 'channel' | 'referrer'>): Promise<boolean> {
  return isWithinMailLimit(db, referral, 0)
}

/** Counts a confirmation; false if it must not be mailed, for want of an address or because of the daily limit. */
function countConfirmation(db: Db, referral: Pick<MailedReferral, 'channel' | 'referrer'>): Promise<boolean> {
  return isWithinMailLimit(db, referral, 1)
}

/**
 * Adds `by` to the confirmations of a mailbox today. Anybody can enter somebody else's address in the form: the limit
 * keeps its mailbox from being filled, but refuses no referral.
 */
async function isWithinMailLimit(
  db: Db,
  referral: Pick<MailedReferral, 'channel' | 'referrer'>,
  by: number,
): Promise<boolean> {
  const to = mailAddressOf(referral)
  if (to === undefined) return false
  return !(await exceedsDailyLimit(db, {
    name: 'confirmationsOfReferrals',
    caller: mailboxOf(to),
    limit: CONFIRMATIONS_PER_EMAIL,
    by,
  }))
}

/** The columns of a public referral; its status can be spam. */
type NewRequest = Pick<
  ReferralRequest,
  | 'hub'
  | 'service'
  | 'case_type'
  | 'case_type_version'
  | 'channel'
  | 'self_referral'
  | 'council_area'
  | 'person'
  | 'referrer'
  | 'answers'
  | 'reason'
> & { status: number }

/** Validates a referral and returns its row: the form's own fields, and those that the case type marks as public. */
async function referralOf(call: Call): Promise<NewRequest> {
  const { body, contract } = call
  const found = await publicForm(call, body.service)
  const { answers: sentAnswers, ...own } = body
  const values = await validateBody(call, contract.entities.publicReferral, own)
  const { hub, caseType } = routeOf(found, values.council_area)
  const isSelf = values.about === 'self'
  // In a self-referral the contact details are those of the client.
  const person = pick(
    { ...values, ...(isSelf && { phone: values.contact_phone, email: values.contact_email }) },
    PERSON,
  )
  const answers = await validAnswers(call, { form: found, caseType, person, sent: sentAnswers })
  return {
    hub,
    service: found.service,
    case_type: caseType.id,
    case_type_version: caseType.version,
    channel: 'public',
    self_referral: isSelf,
    council_area: values.council_area ?? null,
    person,
    referrer: pick(values, REFERRER),
    answers,
    reason: values.reason,
    // A honeypot: the field is invisible, so only a program fills it in.
    status: isSet(values.website) ? REFERRAL_STATUS.spam : REFERRAL_STATUS.new,
  }
}

/**
 * Answers whose names or choices a publication has changed since the page was opened, by the new ones. A name that the
 * form has is that of today, so only its merged choices are replaced.
 */
async function withKnownNames(
  { db }: Call,
  { id }: PublicCaseType,
  sent: Values,
  known: Set<string>,
): Promise<Values> {
  const migrations = await answerMigrationsSince(db, id, 0)
  if (migrations.length === 0) return sent
  const [renamed, kept] = [false, true].map((isKnown) =>
    Object.fromEntries(Object.entries(sent).filter(([name]) => known.has(name) === isKnown)),
  )
  const merging = migrations.map((one) => ({
    ...one,
    case_meta: one.case_meta.filter(({ name, from, values }) => name === from && values !== undefined),
  }))
  const form = { version: 0, meta: 'case_meta' } as const
  return { ...translateSince(renamed, migrations, form), ...translateSince(kept, merging, form) }
}

interface SentAnswers {
  form: PublicForm
  caseType: PublicCaseType
  person: Values
  sent: unknown
}

async function validAnswers(
  call: Call,
  { form, caseType, person, sent: written = {} }: SentAnswers,
): Promise<Values> {
  if (!isPlainObject(written)) throw fieldProblem({ answers: ['Answers must be a group of values'] })
  const { groups } = caseType
  const known = new Set(groups.flatMap(({ fields }) => fields.map(({ name }) => name)))
  const sent = await withKnownNames(call, caseType, written, known)
  const others = Object.keys(sent).filter((name) => !known.has(name))
  refuse(
    prefixed(
      'answers',
      unknownKeyErrors(others, (name) => `This form does not ask for '${name}'`),
    ),
  )
  const conditionContext = { ...publicContext(form, person), user: { id: 0, groups: [] } }
  const { values, errors } = applyChanges({
    groups,
    stored: {},
    sent,
    conditionContext,
    validateSchema: ajvValidate,
    today: today(call.settings.TIME_ZONE),
    all: true,
  })
  refuse(prefixed('answers', errors))
  await refuseUnknownItems(call, { groups, values, stored: {}, conditionContext, at: 'answers' })
  return values
}

/** Enforces the daily limits. Only valid referrals count, so that mistakes do not use up a limit; spam counts too. */
async function enforceReferralLimits({ db, request }: Call, { referrer }: NewRequest): Promise<void> {
  const { contact_email: email } = referrer
  const network = networkOf(request.ip)
  await enforceDailyLimit(
    db,
    `${REFERRALS_PER_ADDRESS} referrals came from your network today. Please ring us.`,
    {
      name: 'referralsOfAddress',
      caller: network,
      limit: REFERRALS_PER_ADDRESS,
    },
  )
  if (typeof email !== 'string') return
  await enforceDailyLimit(
    db,
    `${REFERRALS_PER_EMAIL} referrals were sent with this email address from your network today. Please ring us.`,
    { name: 'referralsOfEmail', caller: `${network} ${mailboxOf(email)}`, limit: REFERRALS_PER_EMAIL },
  )
}

/** The mailbox of an address, to which most providers deliver 'name+anything@example.org' too. */
function mailboxOf(email: string): string {
  return email.toLowerCase().replace(/\+[^@]*(?=@)/, '')
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

function pick(values: Values, names: string[]): Values {
  return Object.fromEntries(names.filter((name) => isSet(values[name])).map((name) => [name, values[name]]))
}
