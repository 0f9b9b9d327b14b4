import { sql } from 'kysely'
import { textKey } from '../../../contract/compareKey.ts'
import { isEqual } from '../../../contract/isEqual.ts'
import type { Metas } from '../../../contract/meta/metaTypes.ts'
import { normaliseLine } from '../../../contract/normalise.ts'
import { suggest } from '../../../contract/suggest.ts'
import type { CaseType } from '../../../contract/types/entities.ts'
import type { Values } from '../../../contract/when.ts'
import { afterReply } from '../../core/afterReply.ts'
import type { Call, Handler } from '../../core/call.ts'
import type { Db } from '../../core/db.ts'
import { fieldProblem, problem, refuse } from '../../core/problems.ts'
import { writeAuditEvent } from '../../records/audit/audit.ts'
import { publishPictures } from '../../records/files/notePictures.ts'
import { refuseFailingTests } from '../../records/validate/formTests.ts'
import { unknownKeyErrors } from '../../records/validate/unknownKeys.ts'
import { validateBody } from '../../records/validate/validateBody.ts'
import { fetch, withEmbedded } from '../../records/verbs/read.ts'
import { storedUsage } from './answerCounts.ts'
import {
  type CaseTypeParts,
  NO_PARTS,
  PART_COLUMNS,
  PARTS,
  partsFrom,
  partsOf,
  partValues,
  refuseInvalidParts,
} from './caseTypeParts.ts'
import { answerUsage, changedFields, draftUsage } from './caseTypeUsage.ts'
import { countAnswers } from './countAnswers.ts'
import { fieldUses } from './fieldUses.ts'
import { plannedMigration, publishedParts } from './planMigration.ts'
import { PUBLICATION_KEYS, publish, refuseStale, saveVersion } from './publication.ts'

/** Publishes a new case type as its version 1. */
export const create: Handler = async (call) => {
  refuseUnknownKeys(call.body, ['label', 'service', ...PARTS, ...PUBLICATION_KEYS])
  const { label, service } = await labelAndService(call)
  const meta = partsFrom(call, NO_PARTS)
  await refuseInvalidParts(call, meta)
  const anyway = await refuseFailingTests(call, { ...meta, service: Number(service) })
  const { rows } = await sql<{
    id: number
  }>`insert into case_types (label, service, ${PART_COLUMNS})
    values (${label}, ${service}, ${partValues(meta)}) returning id`.execute(call.db)
  call.params = { id: rows[0].id }
  await publishPictures(call, rows[0].id, meta)
  await saveVersion(call, 1, anyway)
  call.reply.code(201)
  return replyOf(call, rows[0].id)
}

/** Publishes a change as the next version; throws a conflict with the last version if it is based on an older one. */
export const update: Handler = async (call) => {
  const { db, body, params } = call
  const { rows } = await sql<CaseTypeParts & Pick<CaseType, 'version' | 'label' | 'service'>>`
    select * from case_types where id = ${params.id}`.execute(db)
  const before = rows[0]
  if (!before) throw problem('notFound')
  refuseUnknownKeys(body, ['version', 'label', 'service', ...PARTS, 'rev', 'decided', ...PUBLICATION_KEYS])
  if (body.service !== undefined && body.service !== before.service)
    throw fieldProblem({ service: ['The service of a case type stays as it was made'] })
  await refuseStale(call, before.version, body.version)
  const label = body.label === undefined ? before.label : labelOf(body)
  await refuseSameLabel(call, label, before.service, Number(params.id))
  const meta = partsFrom(call, before)
  await refuseInvalidParts(call, meta, {
    meta: before,
    usage: await answerUsage(db, Number(params.id), before, changedFields(before, meta)),
  })
  if (
    before.version > 0 &&
    label === before.label &&
    PARTS.every((part) => isEqual(meta[part], before[part]))
  ) {
    return replyOf(call, params.id)
  }
  const anyway = await refuseFailingTests(call, { ...meta, service: before.service })
  const migration = plannedMigration(before, meta, body.decided)
  await publish(call, before, { label, parts: publishedParts(meta), anyway, migration })
  return replyOf(call, params.id)
}

/** Creates an unpublished case type, which staff cannot use yet; `copy_of` is the id of one to copy. */
export const begin: Handler = async (call) => {
  const { db, me, contract } = call
  const body = await validateBody(call, contract.bodies.newCaseType, call.body)
  const from =
    body.copy_of === undefined || body.copy_of === null
      ? undefined
      : await fetch(call, contract.entities.caseType, body.copy_of)
  const { label, service } = await labelAndService({ ...call, body })
  const { rows } = await sql<{ id: number }>`insert into case_types (label, service, version)
    values (${label}, ${service}, 0) returning id`.execute(db)
  const [{ id }] = rows
  await sql`insert into case_type_drafts (case_type, base_version, label, ${PART_COLUMNS}, author) values (
    ${id}, 0, ${label}, ${partValues({ ...NO_PARTS, ...(from && partsOf(from)) })}, ${me.id})`.execute(db)
  await writeAuditEvent(call, { action: 'create', entity: 'caseType', record: id, version: 0 })
  call.reply.code(201)
  return replyOf(call, id)
}

/** A case type as `caseTypes.read` replies it. */
async function replyOf(call: Call, id: unknown) {
  const { caseType } = call.contract.entities
  return withEmbedded(call, caseType, await fetch(call, caseType, id))
}

/** Numbers of cases and issues of a case type, and how many of them have each field answered and each choice chosen. */
export const usage: Handler = async (call) => {
  const { db, request } = call
  const type = await fetch(call, call.contract.entities.caseType, call.params.id)
  const { id } = type
  const { rows } = await sql<{
    open_cases: number
  }>`select open_cases from case_type_rows where id = ${id}`.execute(db)
  afterReply(call, (later) => countAnswers({ db: later, ending: request.server.ending }))
  return {
    ...rows[0],
    ...((await storedUsage(db, id)) ?? (await countedNow(db, id, type))),
    drafts: await draftUsage(db, id),
    uses: await fieldUses(db, id),
  }
}

/** What `storedUsage` returns, read from all records. */
async function countedNow(db: Db, id: number, forms: Metas) {
  const { rows } = await sql<{ cases: number; issues: number }>`select
    (select count(*) from cases where case_type = ${id}) as cases,
    (select count(*) from issues i join cases k on k.id = i."case" where k.case_type = ${id}) as issues`.execute(
    db,
  )
  return { ...rows[0], ...(await answerUsage(db, id, forms)) }
}

async function labelAndService(call: Call) {
  const { db, body } = call
  const { rows } =
    await sql`select 1 from lookup where kind = 'services' and value = ${Number.isInteger(body.service) ? body.service : 0}`.execute(
      db,
    )
  if (rows.length === 0) throw fieldProblem({ service: ['Choose service'] })
  const label = labelOf(body)
  await refuseSameLabel(call, label, Number(body.service))
  return { label, service: body.service }
}

/** Refuses the label of another case type of the service: people distinguish these by name only. */
async function refuseSameLabel({ db }: Call, label: string, service: number, own?: number): Promise<void> {
  const { rows } = await sql<{ label: string }>`select label from case_types
    where service = ${service} and id is distinct from ${own ?? null}::int
      and replace(text_key(label), ' ', '') = ${textKey(label).replaceAll(' ', '')} order by id`.execute(db)
  if (rows[0])
    throw fieldProblem({
      label: [`Another case type of this service is called '${rows[0].label}': choose another name`],
    })
}

/** Refuses unknown keys instead of ignoring them: they are mistakes of the sender. */
function refuseUnknownKeys(body: Values, known: string[]): void {
  const others = Object.keys(body).filter((key) => !known.includes(key))
  refuse(unknownKeyErrors(others, (key) => `no field '${key}' in Case type${suggest(key, known)}`))
}

function labelOf({ label }: Values): string {
  const line = typeof label === 'string' && label.length <= 200 ? normaliseLine(label) : ''
  if (line === '') throw fieldProblem({ label: ['Label must have 1 to 200 characters'] })
  return line
}
