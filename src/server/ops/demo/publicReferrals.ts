import { sql } from 'kysely'
import { REFERRAL_STATUS, STATUS } from '../../../contract/status.ts'
import type { Values } from '../../../contract/when.ts'
import type { Row, Tx } from '../../core/db.ts'
import { insertRow } from '../../records/query/columns.ts'
import type { DemoContext } from './context.ts'
import { AFTERNOON, MORNING, timeOf } from './days.ts'
import { HUBS } from './team.ts'

/** NHS complaints advocacy, whose case type has public fields. */
const SERVICE = 4
const [HERTFORDSHIRE, ESSEX] = [1, 2]
const INTRO = `We help people to complain about the NHS. It costs nothing, and we are not part of the NHS.
If somebody is in danger, ring 999.`

interface DemoReferral {
  status: number
  daysAgo: number
  area: number
  reason: string
  referrer: Values
  answers: Values
  phone?: string
  question?: string
}

const BY_EMAIL = { contact_by: ['email'] }
const REFERRALS: DemoReferral[] = [
  {
    status: REFERRAL_STATUS.new,
    daysAgo: 1,
    area: HERTFORDSHIRE,
    reason:
      'I waited fourteen hours in A&E with my chest pain and nobody spoke to me. I want somebody to say sorry.',
    referrer: { about: 'self', ...BY_EMAIL, contact_email: 'patient@example.org' },
    answers: { complainant_is: 'the_patient', is_urgent: 'no', place_name: 'Riverside General Hospital' },
  },
  {
    status: REFERRAL_STATUS.new,
    daysAgo: 2,
    area: ESSEX,
    reason: 'The meeting with the hospital is on the 14th and she does not want to go alone.',
    referrer: {
      about: 'other',
      referrer_name: 'Morwenna Tredinnick',
      referrer_relation: 'Social worker',
      referrer_organisation: 'Saltmarsh Adult Care Team',
      consent: 'yes',
      contact_by: ['phone', 'email'],
      contact_phone: '020 7946 0155',
      contact_email: 'm.tredinnick@example.org',
    },
    answers: {
      complainant_is: 'the_patient',
      is_urgent: 'yes',
      urgent_reason: 'There is a meeting on the 14th',
    },
    phone: '020 7946 0181',
  },
  {
    status: REFERRAL_STATUS.moreInformation,
    daysAgo: 5,
    area: HERTFORDSHIRE,
    reason: 'Our neighbour came home from hospital with bruises. He says that they were rough with him.',
    referrer: {
      about: 'other',
      referrer_name: 'Oluwaseun Bright',
      referrer_relation: 'Neighbour',
      consent: 'yes',
      ...BY_EMAIL,
      contact_email: 'o.bright@example.org',
    },
    answers: { complainant_is: 'the_patient' },
    question: 'Which hospital was it, and when did he come home?',
  },
  {
    status: REFERRAL_STATUS.rejected,
    daysAgo: 20,
    area: HERTFORDSHIRE,
    reason: 'The council has closed our day centre.',
    referrer: { about: 'self', contact_by: ['phone'], contact_phone: '020 7946 0122' },
    answers: { complainant_is: 'the_patient' },
  },
  {
    status: REFERRAL_STATUS.spam,
    daysAgo: 3,
    area: ESSEX,
    reason: 'Best rates for your surgery today, see our site',
    referrer: { about: 'self', ...BY_EMAIL, contact_email: 'offers@example.com' },
    answers: { complainant_is: 'the_patient' },
  },
]

/** Activates the public form of one service, and adds its referrals in all statuses, including spam. */
export async function addPublicReferrals(tx: Tx, context: DemoContext): Promise<void> {
  const { rows } = await sql<{ id: number; version: number }>`select id, version from case_types
    where service = ${SERVICE} and status = ${STATUS.active} and version > 0 order by id limit 1`.execute(tx)
  const [caseType] = rows
  if (!caseType) return
  const [first, second] = HUBS.map(({ value }) => Number(value))
  const routes = [{ row: 'essex', council_area: ESSEX, hub: second }]
  await sql`insert into referral_forms (service, status, case_type, hub, intro, routes)
    values (${SERVICE}, ${STATUS.active}, ${caseType.id}, ${first}, ${INTRO}, ${JSON.stringify(routes)})
    on conflict do nothing`.execute(tx)
  for (const [i, planned] of REFERRALS.entries()) {
    const hub = planned.area === ESSEX ? second : first
    const reference = `DEMQ-222${i + 2}`
    const row: Row = { ...requestOf(planned, { ...context, hub, caseType }), reference }
    const { rows: made } = await insertRow('referral_requests', row).execute(tx)
    if (planned.question)
      await insertRow('referral_messages', {
        from_hub: hub,
        request: (made[0] as Row).id,
        text: planned.question,
        created_by: row.taken_by,
        created_at: row.updated_at,
      }).execute(tx)
  }
}

function requestOf(
  planned: DemoReferral,
  context: DemoContext & { hub: number; caseType: { id: number; version: number } },
): Row {
  const { work, words, today, staffing, casework, lookups, hub, caseType } = context
  const { status, daysAgo, area, reason, referrer, answers, phone } = planned
  const isRejected = status === REFERRAL_STATUS.rejected
  const isRead = isRejected || status === REFERRAL_STATUS.moreInformation
  const adviser = isRead ? staffing.adviser(hub).id : null
  const sentAt = timeOf(today - daysAgo, work.between(...MORNING))
  const readAt = isRead ? timeOf(today - daysAgo + 1, AFTERNOON[0]) : sentAt
  const isSelf = referrer.about === 'self'
  const person = {
    first_name: work.pick(work.between(0, 1) === 0 ? words.female : words.male),
    last_name: work.pick(words.last),
    dob: `19${work.between(35, 89)}-0${work.between(1, 9)}-1${work.between(0, 9)}`,
    ...(isSelf && referrer.contact_phone !== undefined && { phone: referrer.contact_phone }),
    ...(isSelf && referrer.contact_email !== undefined && { email: referrer.contact_email }),
    ...(phone && { phone }),
  }
  return {
    hub,
    service: SERVICE,
    case_type: caseType.id,
    case_type_version: caseType.version,
    channel: 'public',
    self_referral: isSelf,
    council_area: area,
    person,
    referrer,
    answers,
    reason,
    status,
    taken_by: adviser,
    rejection: isRejected ? lookups('referral_rejection')[0]?.value : null,
    decision_text: isRejected ? work.pick(casework.refusals) : null,
    decided_by: isRejected ? adviser : null,
    decided_at: isRejected ? readAt : null,
    created_at: sentAt,
    updated_at: readAt,
  }
}
