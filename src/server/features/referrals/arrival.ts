import { sql } from 'kysely'
import { translateSince } from '../../../contract/answerMigration/translateAnswers.ts'
import { FIELD_TYPES } from '../../../contract/fieldTypes.ts'
import type { Field, Group } from '../../../contract/generated.ts'
import type { MetaName } from '../../../contract/meta/metaTypes.ts'
import { fieldsByName } from '../../../contract/meta/places.ts'
import { STATUS } from '../../../contract/status.ts'
import type { TypeFacts } from '../../../contract/typeFacts.ts'
import type { ReferralRequest, Staff } from '../../../contract/types/entities.ts'
import { isSet, type Values } from '../../../contract/when.ts'
import type { Call } from '../../core/call.ts'
import { today } from '../../core/today.ts'
import { answerMigrationsSince } from '../../records/answerMigrations/translateSent.ts'

/** Sender of a referral between hubs. */
type Sender = Pick<Staff, 'phone' | 'email'>

interface Arriving {
  meta: MetaName
  /** Name of the question, if the case type asks it, and whether its type can have the answer. */
  name: string
  fits: (type: TypeFacts) => boolean
  answer: (request: ReferralRequest, sender: Sender | undefined, timeZone: string) => unknown
}

/** Questions of the new case that properties of the referral answer, if it has no other answers to them. */
const ARRIVING: Arriving[] = [
  {
    meta: 'issue_meta',
    name: 'summary',
    fits: ({ isMultiline }) => isMultiline === true,
    answer: ({ reason }) => reason,
  },
  {
    meta: 'case_meta',
    name: 'date_received',
    fits: ({ calendar }) => calendar === 'day',
    answer: ({ created_at }, _, timeZone) => today(timeZone, new Date(created_at!)),
  },
  {
    meta: 'case_meta',
    name: 'referrer',
    fits: ({ parts }) => parts !== undefined,
    answer: referrerOf,
  },
]

/** The document of a new case with everything that came along with a referral, for a draft of the wizard. */
export async function documentOf(call: Call, request: ReferralRequest): Promise<Values> {
  const { service, case_type, council_area, person } = request
  const answers = await answersNow(call, request)
  const { rows } = await sql<{
    // Null if the referral has no case type.
    case_meta: Group[] | null
    issue_meta: Group[] | null
    client: number | null
    sender: Sender | null
  }>`
    select t.case_meta, t.issue_meta, c.id as client, to_json(s) as sender
    from referral_requests q left join case_types t on t.id = q.case_type
      left join clients c on c.id = ${request.from_client} and c.status = ${sql.lit(STATUS.active)}
      left join (select id, phone, email from staff) s on s.id = ${request.created_by}
    where q.id = ${request.id}`.execute(call.db)
  const [{ client, sender, ...metas }] = rows
  const arrivedAt = (meta: MetaName, given: Values) => {
    const asked = fieldsByName(metas[meta] ?? [])
    const arrived = ARRIVING.filter((one) => one.meta === meta && takes(asked.get(one.name), one))
      .map(({ name, answer }) => [name, answer(request, sender ?? undefined, call.settings.TIME_ZONE)])
      .filter(([, answer]) => isSet(answer))
    return { ...Object.fromEntries(arrived), ...given }
  }
  return {
    service,
    case_type,
    client: client ?? person,
    case: {
      answers: arrivedAt('case_meta', answers),
      ...(council_area !== null && { council_area }),
    },
    issue: { start_date: today(call.settings.TIME_ZONE), answers: arrivedAt('issue_meta', {}) },
  }
}

/** The answers of a referral by the names and values that its case type has now. */
async function answersNow(
  { db }: Call,
  { case_type, case_type_version, answers }: ReferralRequest,
): Promise<Values> {
  if (!case_type || !case_type_version) return answers
  const migrations = await answerMigrationsSince(db, case_type, case_type_version)
  return translateSince(answers, migrations, { version: case_type_version, meta: 'case_meta' })
}

function takes(field: Field | undefined, { fits }: Arriving): boolean {
  return field !== undefined && field.attrs?.is_on !== false && fits(FIELD_TYPES[field.type])
}

/** Who referred, as a contact; nobody for people who refer themselves. */
function referrerOf(request: ReferralRequest, sender: Sender | undefined): Values | undefined {
  if (request.self_referral) return undefined
  const { referrer_name, referrer_relation, referrer_organisation, contact_phone, contact_email } =
    request.referrer as Record<string, string | null>
  const contact = sender
    ? { name: request.created_by_name, organisation: request.from_hub_label, ...sender }
    : {
        name: referrer_name,
        role: referrer_relation,
        organisation: referrer_organisation,
        phone: contact_phone,
        email: contact_email,
      }
  const known = Object.entries(contact).filter(([name, value]) => name !== 'id' && isSet(value))
  return known.length > 0 ? Object.fromEntries(known) : undefined
}
