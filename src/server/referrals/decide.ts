import { sql } from 'kysely'
import { REFERRAL_STATUS } from '../../contract/status.ts'
import { writeAuditEvent } from '../audit/audit.ts'
import type { Call } from '../call.ts'
import type { Row } from '../db.ts'
import { draftOf } from '../draftOfCall.ts'
import { fieldProblem, type Problem, problem } from '../problems.ts'

export type ReferralStatus = (typeof REFERRAL_STATUS)[keyof typeof REFERRAL_STATUS]

/** From which status a referral comes to another; the catalogue of the design. */
const FROM: Record<ReferralStatus, ReferralStatus[]> = {
  [REFERRAL_STATUS.new]: [REFERRAL_STATUS.rejected],
  [REFERRAL_STATUS.accepted]: [REFERRAL_STATUS.new, REFERRAL_STATUS.moreInformation],
  [REFERRAL_STATUS.rejected]: [REFERRAL_STATUS.new, REFERRAL_STATUS.moreInformation],
  [REFERRAL_STATUS.moreInformation]: [REFERRAL_STATUS.new],
}
/** What the audit calls it. */
const ACTIONS: Record<ReferralStatus, string> = {
  [REFERRAL_STATUS.new]: 'reopen',
  [REFERRAL_STATUS.accepted]: 'accept',
  [REFERRAL_STATUS.rejected]: 'reject',
  [REFERRAL_STATUS.moreInformation]: 'ask',
}
const WORDS: Record<ReferralStatus, string> = {
  [REFERRAL_STATUS.new]: 'is new',
  [REFERRAL_STATUS.accepted]: 'was accepted',
  [REFERRAL_STATUS.rejected]: 'was rejected',
  [REFERRAL_STATUS.moreInformation]: 'waits for more information',
}

interface Decision {
  status: ReferralStatus
  /** The case that it led to. */
  case?: number
  /** Item of the lookup of reasons. */
  rejection?: number
  text?: string
}

/** Decides a referral that is read and locked, in the call's transaction; a 409 says who decided it otherwise, and when. */
export async function decide(call: Call, request: Row, decision: Decision): Promise<void> {
  const { db, me } = call
  const before = request.status as ReferralStatus
  if (!FROM[decision.status].includes(before)) throw decidedProblem(request)
  const isDecided =
    decision.status === REFERRAL_STATUS.accepted || decision.status === REFERRAL_STATUS.rejected
  const { rows } = await sql<{ version: number }>`update referral_requests set status = ${decision.status},
    "case" = ${decision.case ?? null}, rejection = ${decision.rejection ?? null},
    decision_text = ${isDecided ? (decision.text ?? null) : null},
    decided_by = ${isDecided ? me.id : null}, decided_at = ${isDecided ? sql`now()` : null},
    taken_by = coalesce(taken_by, ${me.id}), version = version + 1, updated_at = now()
    where id = ${request.id} returning version`.execute(db)
  await writeAuditEvent(call, {
    action: ACTIONS[decision.status],
    entity: 'referralRequest',
    record: Number(request.id),
    version: rows[0].version,
    changes: { status: { from: before, to: decision.status } },
  })
}

/** Accepts the referral that the call's draft was made of, if any, by the case that was made of the draft. */
export async function acceptByDraft(call: Call, caseId: number): Promise<void> {
  const draft = draftOf(call.request)
  if (draft === undefined) return
  const { rows } = await sql<Row>`select q.*, trim(s.first_name || ' ' || s.last_name) as decided_by_name
    from drafts d join referral_requests q on q.id = d.referral left join staff s on s.id = q.decided_by
    where d.id = ${draft} and d.staff = ${call.me.id} for update of q`.execute(call.db)
  if (rows[0]) await decide(call, rows[0], { status: REFERRAL_STATUS.accepted, case: caseId })
}

/** Puts a referral back to new once its referrer has answered. */
export async function answered({ db }: Call, request: number): Promise<void> {
  await sql`update referral_requests set status = ${REFERRAL_STATUS.new}, version = version + 1, updated_at = now()
    where id = ${request} and status = ${REFERRAL_STATUS.moreInformation}`.execute(db)
}

function decidedProblem({ status, decided_by_name, decided_at, case: caseId }: Row): Problem {
  const when = decided_at instanceof Date ? decided_at.toISOString() : decided_at
  const by = decided_by_name ? ` by ${decided_by_name} on ${String(when).slice(0, 10)}` : ''
  const led = caseId ? `, and became case ${caseId}` : ''
  return problem('referralDecided', {
    message: `This referral ${WORDS[status as ReferralStatus]}${by}${led}. Nothing was changed.`,
  })
}

/** The side of a referral that a person is on: the hub that is asked, or the one that asks. */
export function sideOf({ me }: Call, request: Row): 'asked' | 'asking' {
  return me.hub !== null && me.hub === request.from_hub && me.hub !== request.hub ? 'asking' : 'asked'
}

/** Refuses what only the hub may do that is asked. */
export function refuseAsking(call: Call, request: Row): void {
  if (sideOf(call, request) === 'asking')
    throw fieldProblem({ status: ['This is decided by the hub that it was sent to'] })
}
