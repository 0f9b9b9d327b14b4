import { sql } from 'kysely'
import { REFERRAL_STATUS } from '../../../contract/status.ts'
import type { ReferralRequest } from '../../../contract/types/entities.ts'
import { visibleTo } from '../../access/scope.ts'
import type { Call } from '../../core/call.ts'
import type { Row } from '../../core/db.ts'
import { fieldProblem, problem } from '../../core/problems.ts'
import { today } from '../../core/today.ts'
import { writeAuditEvent } from '../../records/audit/audit.ts'
import { formatDate } from '../../records/audit/formatValue.ts'
import { draftIdFromHeader } from '../../records/verbs/draftOfCall.ts'
import { notifyOfChanges } from '../../records/workNotices/notifyOfChanges.ts'
import { mailReferrer } from './mailReferrer.ts'

/** Statuses that a person can set; a referral can only be marked as not spam, by a call of its own. */
export type ReferralStatus = (typeof REFERRAL_STATUS)[Exclude<keyof typeof REFERRAL_STATUS, 'spam'>]

/** Allowed transitions: the statuses before each status. */
const STATUSES_BEFORE: Record<ReferralStatus, ReferralStatus[]> = {
  [REFERRAL_STATUS.new]: [REFERRAL_STATUS.rejected],
  [REFERRAL_STATUS.accepted]: [REFERRAL_STATUS.new, REFERRAL_STATUS.moreInformation],
  [REFERRAL_STATUS.rejected]: [REFERRAL_STATUS.new, REFERRAL_STATUS.moreInformation],
  [REFERRAL_STATUS.moreInformation]: [REFERRAL_STATUS.new],
}
/** Actions of the audit events. */
const ACTIONS: Record<ReferralStatus, string> = {
  [REFERRAL_STATUS.new]: 'reopen',
  [REFERRAL_STATUS.accepted]: 'accept',
  [REFERRAL_STATUS.rejected]: 'reject',
  [REFERRAL_STATUS.moreInformation]: 'ask',
}
const STATUS_WORDS: Record<ReferralStatus, string> = {
  [REFERRAL_STATUS.new]: 'is new',
  [REFERRAL_STATUS.accepted]: 'was accepted',
  [REFERRAL_STATUS.rejected]: 'was rejected',
  [REFERRAL_STATUS.moreInformation]: 'waits for more information',
}

/** The columns of a referral that deciding it needs, of a row of its table or its view. */
export type DecidedReferral = Pick<
  ReferralRequest,
  | 'id'
  | 'hub'
  | 'from_hub'
  | 'status'
  | 'case'
  | 'channel'
  | 'referrer'
  | 'created_by'
  | 'decided_by_name'
  | 'decided_at'
>

interface Decision {
  status: ReferralStatus
  /** The case that the referral became. */
  case?: number | null
  /** Item of the lookup of reasons. */
  rejection?: number | null
  text?: string
}

/** Decides a locked referral in the call's transaction. Throws a 409 that says who decided it otherwise, and when. */
export async function decide(call: Call, request: DecidedReferral, decision: Decision): Promise<void> {
  const { db, me } = call
  const { id, status: before } = request
  refuseStatus(call, request, decision.status)
  const isDecided =
    decision.status === REFERRAL_STATUS.accepted || decision.status === REFERRAL_STATUS.rejected
  const { rows } = await sql<
    Row & { version: number }
  >`update referral_requests set status = ${decision.status},
    "case" = ${decision.case ?? null}, rejection = ${decision.rejection ?? null},
    decision_text = ${isDecided ? (decision.text ?? null) : null},
    decided_by = ${isDecided ? me.id : null}, decided_at = ${isDecided ? sql`now()` : null},
    taken_by = coalesce(taken_by, ${me.id}), version = version + 1, updated_at = now()
    where id = ${request.id} returning *`.execute(db)
  await writeAuditEvent(call, {
    action: ACTIONS[decision.status],
    entity: 'referralRequest',
    record: id,
    version: rows[0].version,
    changes: { status: { from: before, to: decision.status } },
  })
  const change = { before: { ...request }, after: rows[0] }
  await notifyOfChanges({ ...call, by: me.id }, 'referralRequest', [change])
  if (isDecided) mailReferrer(call, request, 'decided')
}

/**
 * The referral from which the call's draft was made, locked; undefined if there is none. Throws a 409 if the caller may
 * not accept it any more.
 */
export async function referralOfDraft(
  call: Call,
): Promise<(DecidedReferral & { from_client: number | null }) | undefined> {
  const draft = draftIdFromHeader(call.request)
  if (draft === undefined) return undefined
  const { rows } = await sql<
    DecidedReferral & { from_client: number | null; taken_by: number | null; is_visible: boolean }
  >`select q.*, trim(s.first_name || ' ' || s.last_name) as decided_by_name,
      ${visibleTo('receivedReferral', call.me, 'q')} as is_visible
    from drafts d join referral_requests q on q.id = d.referral left join staff s on s.id = q.decided_by
    where d.id = ${draft} and d.staff = ${call.me.id} for update of q`.execute(call.db)
  if (!rows[0]) return undefined
  const { is_visible, taken_by, ...referral } = rows[0]
  // The caller may have left the hub since the draft was made, or a colleague may have taken the referral over.
  if (!is_visible || (taken_by !== null && taken_by !== call.me.id)) throw problem('referralTaken')
  refuseStatus(call, referral, REFERRAL_STATUS.accepted)
  return referral
}

/** Sets a referral back to new after its sender answered; a referral that waits for no answer is unchanged. */
export async function markAnswered(call: Call, request: number): Promise<void> {
  const [before, after] = [REFERRAL_STATUS.moreInformation, REFERRAL_STATUS.new]
  const { rows } = await sql<Row & { version: number }>`update referral_requests
    set status = ${after}, version = version + 1, updated_at = now()
    where id = ${request} and status = ${before} returning *`.execute(call.db)
  if (!rows[0]) return
  await writeAuditEvent(call, {
    action: 'update',
    entity: 'referralRequest',
    record: request,
    version: rows[0].version,
    changes: { status: { from: before, to: after } },
  })
  const change = { before: { ...rows[0], status: before }, after: rows[0] }
  await notifyOfChanges({ ...call, by: call.me.id || null }, 'referralRequest', [change])
}

/** Refuses a transition that is not allowed; the 409 says who decided the referral, and when. */
export function refuseStatus(
  { settings }: Pick<Call, 'settings'>,
  { status: before, decided_by_name, decided_at, case: caseId }: DecidedReferral,
  status: ReferralStatus,
): void {
  if (STATUSES_BEFORE[status].includes(before)) return
  const on = decided_at ? ` on ${formatDate(today(settings.TIME_ZONE, decided_at))}` : ''
  const by = decided_by_name ? ` by ${decided_by_name}${on}` : ''
  const led = caseId ? `, and became case ${caseId}` : ''
  throw problem('referralDecided', {
    message: `This referral ${STATUS_WORDS[before]}${by}${led}. Nothing was changed.`,
  })
}

/** True if the caller acts for the hub that sent a referral; everybody else who sees it acts for the receiving hub. */
export function isSender({ me }: Call, request: Pick<ReferralRequest, 'hub' | 'from_hub'>): boolean {
  return me.hub !== null && me.hub === request.from_hub && me.hub !== request.hub
}

/** Refuses callers of the sending hub, for operations of the receiving one. */
export function refuseSender(call: Call, request: ReferralRequest): void {
  if (isSender(call, request))
    throw fieldProblem({ status: ['This is decided by the hub that it was sent to'] })
}
