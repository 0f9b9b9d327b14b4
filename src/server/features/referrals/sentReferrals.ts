import { sql } from 'kysely'
import type { ItemLabel } from '../../../contract/describeAnswer.ts'
import type { Field, Group } from '../../../contract/generated.ts'
import { REFERRAL_STATUS, STATUS } from '../../../contract/status.ts'
import type { CaseType } from '../../../contract/types/entities.ts'
import { isPlainObject, type Values } from '../../../contract/when.ts'
import type { Call, Handler } from '../../core/call.ts'
import { fieldProblem, refuse } from '../../core/problems.ts'
import { itemLabelsOf } from '../../records/lookups/itemLabels.ts'
import { validateBody } from '../../records/validate/validateBody.ts'
import { addRecords } from '../../records/verbs/addRecords.ts'
import { refuseInvisibleRefs } from '../../records/verbs/parentOf.ts'
import { chosenDocuments, offeredDocuments, sendDocuments } from './referralDocuments.ts'
import {
  answeredGroups,
  answeredPerson,
  answersOf,
  type Chosen,
  offeredAnswers,
  offeredPerson,
  personOf,
} from './snapshot.ts'
import { sourceOf } from './source.ts'

/** The details of a client that may be sent with a referral. */
export const offerOfClient: Handler = (call) => offerOf(call, { client: call.params.id })

/** The answers of a case, and details of its client, that may be sent with a referral. */
export const offerOfCase: Handler = (call) => offerOf(call, { case: call.params.id })

async function offerOf(call: Call, ids: { client?: unknown; case?: unknown }) {
  const { contract } = call
  const source = await sourceOf(call, ids)
  const { client, case: caseRecord, shown, answers } = source
  const fields = [
    ...answeredPerson(contract, client),
    ...answeredGroups(shown, answers).flatMap((g) => g.fields),
  ]
  const itemLabel = await labelsIn(call, fields, { ...client, ...answers })
  return {
    client: client.id,
    case: caseRecord?.id ?? null,
    case_type: caseRecord?.case_type ?? null,
    person: offeredPerson(contract, client, itemLabel),
    answers: offeredAnswers(shown, answers, itemLabel),
    documents: await offeredDocuments(call, source),
  }
}

function labelsIn(call: Call, fields: Field[], values: Values): Promise<ItemLabel> {
  const ids = new Map<string, number[]>()
  for (const { name, attrs } of fields) {
    const chosen = [values[name]].flat().filter((value): value is number => typeof value === 'number')
    if (attrs?.lookup) ids.set(attrs.lookup, [...(ids.get(attrs.lookup) ?? []), ...chosen])
  }
  return itemLabelsOf(call, ids)
}

/** Refers a client or case to another hub, with a snapshot of the chosen answers, and the chosen documents. */
export const create: Handler = async (call) => {
  const { row, chosen, documents } = await snapshotOf(call)
  const [id] = await addRecords(call, 'referralRequest', [row])
  await sendDocuments(
    call,
    id,
    documents.map((document) => document.id),
  )
  call.reply.code(201)
  const { hub, case_type, reason } = row
  return { id, client: row.from_client, case: row.from_case, hub, case_type, reason, chosen }
}

/** A referral as the other hub would see it, which is not stored. */
export const preview: Handler = async (call) => {
  const { row, type, documents } = await snapshotOf(call)
  const itemLabel = await itemLabelsOf(call, new Map([['services', [type.service!]]]))
  return {
    ...row,
    service_label: itemLabel('services', type.service!) ?? null,
    case_type_label: type.label,
    channel: 'hub',
    status: REFERRAL_STATUS.new,
    referrer: {},
    self_referral: false,
    documents: documents.map(({ id, file }) => ({ row: id, file })),
  }
}

/** The row of a referral that the body asks for. */
async function snapshotOf(call: Call) {
  const { contract, body, me, db } = call
  const { newReferral } = contract.entities
  const values = await validateBody(call, newReferral, body)
  await refuseInvisibleRefs(call, newReferral, values)
  const { rows: types } = await sql<
    Pick<CaseType, 'id' | 'label' | 'service' | 'version'> & { groups: Group[] }
  >`
    select id, label, service, version, case_meta as groups from case_types
    where id = ${values.case_type} and version > 0 and status = ${STATUS.active}`.execute(db)
  const [type] = types
  if (!type) throw fieldProblem({ case_type: ['This case type is retired'] })
  const chosen = chosenOf(values.chosen)
  const from = await sourceOf(call, values)
  const fromHub = me.hub ?? from.hub
  if (fromHub === null)
    throw fieldProblem({
      hub: ['You belong to no hub, so nobody could ask you about it: a hub adviser can refer for you'],
    })
  const target = {
    label: type.label,
    groups: type.groups,
    conditionContext: { with: { case: { service: type.service }, client: from.client } },
  }
  if (values.hub === fromHub) throw fieldProblem({ hub: ['To must be another hub than your own'] })
  const { values: answers, errors } = answersOf(from.shown, from.answers, chosen.answers, target)
  refuse(errors)
  const documents = await chosenDocuments(call, from, chosen.documents)
  const row = {
    hub: values.hub,
    from_hub: fromHub,
    from_client: from.client.id,
    from_case: from.case?.id ?? null,
    service: type.service,
    case_type: type.id,
    case_type_version: type.version,
    person: personOf(contract, from.client, chosen.person),
    answers,
    reason: values.reason,
    created_by: me.id,
  }
  return { row, type, chosen, documents }
}

function chosenOf(value: unknown): Chosen {
  const { person, answers, documents } = isPlainObject(value) ? value : {}
  const byGroup = isPlainObject(answers) ? Object.entries(answers) : []
  return {
    person: namesOf(person),
    answers: Object.fromEntries(byGroup.map(([name, of]) => [name, namesOf(of)])),
    documents: namesOf(documents),
  }
}

function namesOf(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((name) => typeof name === 'string') : []
}
