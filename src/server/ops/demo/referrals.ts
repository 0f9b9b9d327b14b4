import { sql } from 'kysely'
import { REFERRAL_STATUS } from '../../../contract/status.ts'
import type { Values } from '../../../contract/when.ts'
import type { Row, Tx } from '../../core/db.ts'
import type { DemoContext } from './context.ts'
import { AFTERNOON, MORNING, timeOf } from './days.ts'
import { load } from './load.ts'

/** Number of referrals, and of days within which they were sent. */
const COUNT = 24
const SEASON = 60
/** Statuses in turn; decided referrals are the oldest. */
const STATUSES = [
  REFERRAL_STATUS.new,
  REFERRAL_STATUS.new,
  REFERRAL_STATUS.moreInformation,
  REFERRAL_STATUS.accepted,
  REFERRAL_STATUS.rejected,
  REFERRAL_STATUS.accepted,
]
const RECENT = 9
const DAYS_TO_DECIDE = 6
/** Details of the client, and answers of the case, that are sent. */
const PERSON = ['first_name', 'last_name', 'dob', 'phone', 'comm_needs']
const ANSWERS = [
  'date_received',
  'referring_from',
  'is_urgent',
  'instruction',
  'client_setting',
  'client_groups',
]

interface Source {
  id: number
  client: number
  service: number
  case_type: number
  version: number
  hub: number
  person: Values
  answers: Values
}

/** Adds referrals between the two hubs in every status, with messages and comments. */
export async function addReferrals(tx: Tx, context: DemoContext): Promise<void> {
  const { rows: sources } = await sql<Source>`
    select k.id, k.client, k.service, k.case_type, t.version, max(i.hub) as hub, to_jsonb(c) as person, k.answers
    from cases k join clients c on c.id = k.client join case_types t on t.id = k.case_type join issues i on i."case" = k.id
    where k.status = 1 and c.status = 1 and k.open_issues > 0 and i.hub is not null
    group by k.id, c.id, t.version order by k.id limit ${COUNT}`.execute(tx)
  const requests: Row[] = []
  const messages: Row[] = []
  const comments: Row[] = []
  for (const [i, source] of sources.entries()) {
    const request = requestOf(source, i, sources, context)
    requests.push(request)
    const hasQuestion = request.status === REFERRAL_STATUS.moreInformation || i % 4 === 3
    if (!hasQuestion) continue
    const message = questionOf(request, messages.length + 1, context)
    messages.push(message)
    if (message.unread_by === null) comments.push(replyTo(message, comments.length + 1, context))
  }
  await load(tx, 'referral_requests', requests)
  await load(tx, 'referral_messages', messages)
  await sql`update referral_messages m set role = s.groups[1] from staff s where s.id = m.created_by`.execute(
    tx,
  )
  await load(tx, 'referral_comments', comments)
  await sql`insert into referral_documents (request, document)
    select q.id, min(d.id) from referral_requests q join issues i on i."case" = q.from_case
      join issue_documents d on d.issue = i.id group by q.id order by q.id`.execute(tx)
}

function requestOf(source: Source, i: number, sources: Source[], context: DemoContext): Row {
  const { work, today, staffing, casework, lookups } = context
  const planned = STATUSES[i % STATUSES.length]
  const hub = source.hub === 1 ? 2 : 1
  // An accepted referral always has a case.
  const led = sources.find((other) => other.hub === hub && other.case_type === source.case_type)
  const isAccepted = planned === REFERRAL_STATUS.accepted && led !== undefined
  const status = planned === REFERRAL_STATUS.accepted && !isAccepted ? REFERRAL_STATUS.rejected : planned
  const isRejected = status === REFERRAL_STATUS.rejected
  const isDecided = isAccepted || isRejected
  const day = today - (isDecided ? work.between(RECENT + DAYS_TO_DECIDE, SEASON) : work.between(1, RECENT))
  const adviser = staffing.adviser(hub).id
  const decided = isDecided ? timeOf(day + work.between(1, DAYS_TO_DECIDE), AFTERNOON[0]) : null
  return {
    id: i + 1,
    version: isDecided ? 2 : 1,
    hub,
    from_hub: source.hub,
    from_client: source.client,
    from_case: source.id,
    service: source.service,
    case_type: source.case_type,
    case_type_version: source.version,
    person: pick(source.person, PERSON),
    answers: pick(source.answers, ANSWERS),
    reason: work.pick(casework.referrals),
    status,
    case: isAccepted ? led.id : null,
    self_referral: false,
    taken_by: isDecided || i % 2 === 0 ? adviser : null,
    rejection: isRejected ? lookups('referral_rejection')[0]?.value : null,
    decision_text: isRejected ? work.pick(casework.refusals) : null,
    decided_by: isDecided ? adviser : null,
    decided_at: decided,
    created_by: staffing.adviser(source.hub).id,
    created_at: timeOf(day, work.between(...MORNING)),
    updated_at: decided ?? timeOf(day, AFTERNOON[0]),
  }
}

function questionOf(request: Row, id: number, { work, staffing, casework }: DemoContext): Row {
  const isOpen = request.status === REFERRAL_STATUS.moreInformation
  return {
    id,
    hub: request.from_hub,
    from_hub: request.hub,
    request: request.id,
    text: work.pick(casework.questions),
    created_by: staffing.adviser(Number(request.hub)).id,
    unread_by: isOpen ? request.from_hub : null,
    version: 1,
    created_at: request.updated_at,
    updated_at: request.updated_at,
  }
}

function replyTo(message: Row, id: number, { work, staffing, casework }: DemoContext): Row {
  return {
    id,
    version: 1,
    message: message.id,
    hub: message.hub,
    text: work.pick(casework.replies),
    is_shared: true,
    created_by: staffing.adviser(Number(message.hub)).id,
    created_at: message.created_at,
  }
}

function pick(values: Values, names: string[]): Values {
  return Object.fromEntries(
    names.filter((name) => (values[name] ?? null) !== null).map((name) => [name, values[name]]),
  )
}
