import { translateSince } from '../../../contract/answerMigration/translateAnswers.ts'
import { applyChanges } from '../../../contract/applyChanges.ts'
import { REFERRAL_STATUS } from '../../../contract/status.ts'
import type { ReferralRequest } from '../../../contract/types/entities.ts'
import { isPlainObject, isSet, type Values } from '../../../contract/when.ts'
import { ajvValidate } from '../../core/ajvValidate.ts'
import type { Call } from '../../core/call.ts'
import { fieldProblem, prefixed, refuse } from '../../core/problems.ts'
import { today } from '../../core/today.ts'
import { answerMigrationsSince } from '../../records/answerMigrations/translateSent.ts'
import { refuseUnknownItems } from '../../records/validate/refuseUnknownItems.ts'
import { unknownKeyErrors } from '../../records/validate/unknownKeys.ts'
import { validateBody } from '../../records/validate/validateBody.ts'
import { type PublicCaseType, type PublicForm, publicContext, publicForm, routeOf } from './publicForm.ts'

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

/** The columns of a public referral; its status can be spam. */
export type NewRequest = Pick<
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
export async function referralOf(call: Call): Promise<NewRequest> {
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
 * Translates answers by names or choices that a publication has changed since the page was opened. If the form has a
 * field of the name today, the name is left, and only its merged choices are replaced.
 */
async function withKnownNames(
  { db }: Call,
  { id }: PublicCaseType,
  sent: Values,
  known: Set<string>,
): Promise<Values> {
  const migrations = await answerMigrationsSince(db, id, 0)
  if (migrations.length === 0) return sent
  const [former, current] = [false, true].map((isKnown) =>
    Object.fromEntries(Object.entries(sent).filter(([name]) => known.has(name) === isKnown)),
  )
  const merging = migrations.map((one) => ({
    ...one,
    case_meta: one.case_meta.filter(({ name, from, values }) => name === from && values !== undefined),
  }))
  const form = { version: 0, meta: 'case_meta' } as const
  return { ...translateSince(former, migrations, form), ...translateSince(current, merging, form) }
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

function pick(values: Values, names: string[]): Values {
  return Object.fromEntries(names.filter((name) => isSet(values[name])).map((name) => [name, values[name]]))
}
