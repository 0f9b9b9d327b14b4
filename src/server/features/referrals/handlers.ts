import { sql } from 'kysely'
import { nameKey } from '../../../contract/compareKey.ts'
import type { Entity } from '../../../contract/generated.ts'
import { ROLE } from '../../../contract/roles.ts'
import { REFERRAL_STATUS, STATUS } from '../../../contract/status.ts'
import type { ReferralRequest } from '../../../contract/types/entities.ts'
import type { Values } from '../../../contract/when.ts'
import { visibleTo } from '../../access/scope.ts'
import type { Call, Handler } from '../../core/call.ts'
import { fieldProblem, problem } from '../../core/problems.ts'
import { writeAuditEvent } from '../../records/audit/audit.ts'
import { formatDate } from '../../records/audit/formatValue.ts'
import { periodOf, reportOf } from '../../records/figures/report.ts'
import { validateBody } from '../../records/validate/validateBody.ts'
import { refuseInvisibleRefs } from '../../records/verbs/parentOf.ts'
import { fetch, fetchAny } from '../../records/verbs/read.ts'
import { update as updateRecord } from '../../records/verbs/update.ts'
import { alikeRows } from '../likeness/alikeRows.ts'
import { personIn } from '../likeness/person.ts'
import { documentOf } from './arrival.ts'
import { decide, refuseSender, refuseStatus } from './decide.ts'
import type { MailedReferral } from './links.ts'
import { mailReferrer } from './mailReferrer.ts'
import { addMessage } from './messages.ts'
import { copyDocuments, issueForDocuments } from './referralDocuments.ts'

/** Numbers of new referral requests and unread messages of the caller's hub. */
export const notification: Handler = async ({ db, me }) => {
  const isAdmin = me.groups.includes(ROLE.systemAdministrator)
  const unread = isAdmin ? sql`m.unread_by is not null` : sql`m.unread_by = ${me.hub}`
  const { rows } = await sql<{ new_messages: number; new_requests: number }>`select
    (select count(*) from referral_messages m where ${unread}) as new_messages,
    (select count(*) from referral_requests q where q.status = ${sql.lit(REFERRAL_STATUS.new)} and ${visibleTo('receivedReferral', me, 'q')}) as new_requests`.execute(
    db,
  )
  return rows[0]
}

/** Sets the member of the receiving hub who has taken a referral. */
export const update: Handler = async (call) => {
  const { contract, body, db } = call
  const request = await lockedRequest(call)
  refuseSender(call, request)
  const { taken_by } = body
  // The update refuses any other type.
  if (typeof taken_by === 'number' && taken_by !== call.me.id) {
    const { rows } = await sql`select from staff where id = ${taken_by} and hub = ${request.hub}
      and is_employed(status)`.execute(db)
    if (rows.length === 0) throw fieldProblem({ taken_by: ['Taken by must be somebody of this hub'] })
  }
  return updateRecord(call, contract.entities.referralRequest)
}

/** Takes a referral for the caller, also from somebody else. */
export const take: Handler = (call) => give(call, call.me.id)

/** Sets a referral that was classified as spam to new, and mails its referrer the link that they were promised. */
export const notSpam: Handler = async (call) => {
  const { db, contract, params } = call
  await lockRequest(call)
  const spam = await fetch(call, contract.entities.referralSpam, params.id)
  const { rows } = await sql<
    MailedReferral & { version: number }
  >`update referral_requests set status = ${REFERRAL_STATUS.new},
    version = version + 1, updated_at = now() where id = ${spam.id} returning *`.execute(db)
  await writeAuditEvent(call, {
    action: 'reopen',
    entity: 'referralRequest',
    record: spam.id,
    version: rows[0].version,
    changes: { status: { from: REFERRAL_STATUS.spam, to: REFERRAL_STATUS.new } },
  })
  mailReferrer(call, rows[0], 'received')
  return fetch(call, contract.entities.referralRequest, params.id)
}

/** Releases a referral, so that nobody has taken it. */
export const release: Handler = (call) => give(call, null)

async function give(call: Call, taken_by: number | null) {
  const request = await lockedRequest(call)
  refuseSender(call, request)
  return updateRecord({ ...call, body: { taken_by } }, call.contract.entities.referralRequest)
}

/** Asks for more information, rejects, accepts into an existing case, or reopens a rejected referral. */
export const setStatus: Handler = async (call) => {
  const { contract, body, me } = call
  const request = await lockedRequest(call)
  refuseSender(call, request)
  const values = await validateBody(call, contract.bodies.referralStatus, body)
  if (values.version !== undefined && values.version !== request.version) throw problem('conflict')
  const { status, case: caseId } = values
  const text = values.text ?? undefined
  const isAccepted = status === REFERRAL_STATUS.accepted
  if (isAccepted) await refuseCase(call, caseId)
  if (status === REFERRAL_STATUS.rejected) {
    if (!values.reason) throw fieldProblem({ reason: ['Choose reason'] })
    if (!text) throw fieldProblem({ text: ['Enter what to tell the referrer'] })
  }
  if (status === REFERRAL_STATUS.moreInformation && !text)
    throw fieldProblem({ text: ['Enter question to the referrer'] })
  if (
    status === REFERRAL_STATUS.new &&
    !me.groups.some((role) => role === ROLE.hubManager || role === ROLE.systemAdministrator)
  )
    throw fieldProblem({ status: ['Only a hub manager opens a rejected referral again'] })
  const issue = isAccepted ? await issueForDocuments(call, request.id, caseId!) : undefined
  await decide(call, request, { status, case: caseId, rejection: values.reason, text })
  if (issue !== undefined) await copyDocuments(call, request.id, issue)
  if (status === REFERRAL_STATUS.moreInformation) await addMessage(call, request, text!)
  return fetchAny(call, contract.entities.referralRequest, request.id)
}

/** Takes a referral and makes a draft of its case, which accepts it when saved. A repeat returns the same draft. */
export const accept: Handler = async (call) => {
  const { contract, db, me, params } = call
  const request = await lockedRequest(call)
  refuseSender(call, request)
  refuseStatus(call, request, REFERRAL_STATUS.accepted)
  if (request.taken_by !== null && request.taken_by !== me.id)
    throw problem('referralTaken', { message: `${request.taken_by_name} has taken this referral` })
  await updateRecord({ ...call, body: { taken_by: me.id } }, contract.entities.referralRequest)
  const { rows: begun } = await sql<{ id: number }>`update drafts set updated_at = now()
    where staff = ${me.id} and referral = ${params.id} returning id`.execute(db)
  const id = begun[0]?.id ?? (await addDraft(call, request))
  return fetchAny(call, contract.entities.draft, id)
}

/** ', born 04/06/1950' and ', died 03/06/2026', as far as these are known. */
function lifeOf(born: string | null, died: string | null): string {
  const days = { born, died }
  return Object.entries(days)
    .map(([word, day]) => (day ? `, ${word} ${formatDate(day)}` : ''))
    .join('')
}

/** A bare list of clients and other referrals with the same name, who may be the same person. */
export const likely: Handler = async (call) => {
  const { db, me, contract, params } = call
  const request = await fetch(call, contract.entities.referralRequest, params.id)
  const { first_name, last_name, dob } = request.person as Record<string, string>
  const query = { first_name: first_name ?? '', last_name: last_name ?? '', ...(dob && { dob }) }
  const clients = await alikeRows(call, personIn(request.person as Values))
  const { rows: earlier } = await sql<{ id: number; at: string }>`
    select q.id, to_char(q.created_at at time zone ${call.settings.TIME_ZONE}, 'FMDD FMMonth YYYY') as at from referral_requests q
    where q.id <> ${params.id} and ${visibleTo('referral', me, 'q')}
      and name_key(q.person ->> 'first_name', q.person ->> 'last_name') = ${nameKey(query.first_name, query.last_name)}
      and (${dob ?? null}::text is null or q.person ->> 'dob' is null or q.person ->> 'dob' = ${dob ?? null})
    order by q.id desc limit 10`.execute(db)
  return [
    ...clients.map(
      ({ id, first_name: first, last_name: last, dob: born, dod: died, reasons, visible: isVisible }) => ({
        id: `client-${id}`,
        label: isVisible
          ? `Client ${id}: ${first} ${last}${lifeOf(born, died)} (${reasons.join(', ')})`
          : `Client ${id}, whom others work with: ask an administrator`,
        to: isVisible ? `/clients/${id}/info` : null,
      }),
    ),
    ...earlier.map(({ id, at }) => ({
      id: `referral-${id}`,
      label: `Also referred on ${at}`,
      to: `/dashboard/referral-requests/${id}`,
    })),
  ]
}

/** Outcomes of the referrals that the caller's hub received in a period, by service. */
export const figures: Handler = async (call) => {
  const period = periodOf(call)
  const count = (...statuses: number[]) => sql`count(*) filter (where q.status = any(${statuses}::int[]))`
  return reportOf(
    call,
    sql`select q.service as id, s.label as name, count(*) as received,
        ${count(REFERRAL_STATUS.new, REFERRAL_STATUS.moreInformation)} as open, ${count(REFERRAL_STATUS.accepted)} as accepted,
        ${count(REFERRAL_STATUS.rejected)} as rejected, round(avg(q.decided_at::date - q.created_at::date))::int as days
      from referral_requests q left join lookup s on s.kind = 'services' and s.value = q.service
      where ${visibleTo('receivedReferral', call.me, 'q')} and q.created_at::date between ${period.start} and ${period.end}
      group by q.service, s.label`,
    period,
  )
}

async function lockedRequest(call: Call): Promise<ReferralRequest> {
  await lockRequest(call)
  return fetch(call, call.contract.entities.referralRequest, call.params.id)
}

/** Locks a referral after its client, in the order of a purge: a decision changes who may see the client. */
async function lockRequest({ db, params }: Call): Promise<void> {
  await sql`select 1 from clients where id = (select from_client from referral_requests where id = ${params.id})
    for no key update`.execute(db)
  await sql`select 1 from referral_requests where id = ${params.id} for update`.execute(db)
}

async function refuseCase(call: Call, caseId: number | null | undefined): Promise<void> {
  if (!caseId) throw fieldProblem({ case: ['Choose case, or accept it into a new one'] })
  await refuseInvisibleRefs(call, call.contract.bodies.referralStatus as Entity, { case: caseId })
  const { rows } = await sql`select 1 from cases where id = ${caseId} and status = ${STATUS.active}`.execute(
    call.db,
  )
  if (rows.length === 0) throw fieldProblem({ case: ['This case is retired'] })
}

async function addDraft(call: Call, request: ReferralRequest): Promise<number> {
  const { db, me } = call
  const content = { document: await documentOf(call, request), completed: [], metas: {} }
  const { rows } = await sql<{
    id: number
  }>`insert into drafts (staff, kind, title, address, payload, referral)
    values (${me.id}, 'case', ${request.person_name}, '/accept-referral', ${JSON.stringify(content)}, ${request.id})
    returning id`.execute(db)
  return rows[0].id
}
