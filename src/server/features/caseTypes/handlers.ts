import { sql } from 'kysely'
import { isEqual } from '../../../contract/applyChanges.ts'
import { textKey } from '../../../contract/compareKey.ts'
import type { Metas } from '../../../contract/meta/metaTypes.ts'
import { normaliseLine, normaliseLong } from '../../../contract/normalise.ts'
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
import { revalidateRecords } from '../../records/validate/revalidateRecords.ts'
import { unknownKeyErrors } from '../../records/validate/unknownKeys.ts'
import { validateBody } from '../../records/validate/validateBody.ts'
import { fetch, withEmbedded } from '../../records/verbs/read.ts'
import { evaluateLeft, noteCaseType } from '../automations/evaluateLeft.ts'
import { storedUsage } from './answerCounts.ts'
import { caseTypeDraftOf, draftConflict, emptyDraft, lastAuthor, publishedConflict } from './caseTypeDraft.ts'
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
import { indexAnswers } from './indexAnswers.ts'

/** Keys of a publication that are not part of the case type. */
const PUBLICATION_KEYS = ['note', 'publish_anyway', 'fire_events']

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
  refuseUnknownKeys(body, ['version', 'label', 'service', ...PARTS, 'rev', ...PUBLICATION_KEYS])
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
  await lockCaseType(call, before.version)
  await sql`update case_types set label = ${label}, (${PART_COLUMNS}) = row(${partValues(meta)}), version = version + 1, updated_at = now() where id = ${params.id}`.execute(
    db,
  )
  await publishPictures(call, Number(params.id), meta)
  await saveVersion(call, before.version + 1, anyway)
  if ([meta, before].some(({ automations, deadlines }) => automations.length + deadlines.length > 0))
    await noteCaseType(call.db, Number(params.id), firesEvents(call))
  revalidateAfterPublish(call)
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

async function saveVersion(call: Call, version: number, anyway: string): Promise<void> {
  const { db, me, params } = call
  await sql`insert into case_type_versions
      (case_type, version, label, ${PART_COLUMNS}, author, note, published_anyway)
    select id, version, label, ${PART_COLUMNS}, ${me.id}, ${noteOf(call)}, ${anyway} from case_types where id = ${params.id}`.execute(
    db,
  )
  // Also notifies open pages of the publication.
  await emptyDraft(call)
  await writeAuditEvent(call, {
    action: 'publish',
    entity: 'caseType',
    record: Number(call.params.id),
    version,
    ...(anyway && { changes: { published_anyway: { from: null, to: anyway } } }),
  })
}

/** Indexes answers, revalidates records with the new version, evaluates their automations and counts their answers; if this server stops, the hourly job continues. */
function revalidateAfterPublish(call: Call): void {
  const { request, settings, contract } = call
  afterReply(call, async (db) => {
    await indexAnswers({ db, ending: request.server.ending })
    const startedAt = performance.now()
    const validated = await revalidateRecords({
      db,
      timeZone: settings.TIME_ZONE,
      bankHolidays: settings.BANK_HOLIDAYS,
      ending: request.server.ending,
    })
    request.log.info(
      { id: request.id, validated, ms: Math.round(performance.now() - startedAt) },
      'records revalidated',
    )
    await evaluateLeft({ db, contract, settings, ending: request.server.ending })
    await countAnswers({ db, ending: request.server.ending })
  })
}

/**
 * Locks a case type. Saves of its records wait for the lock, so it is taken only after the publication was validated,
 * which takes seconds on a large database. Throws a conflict if somebody published or changed the draft meanwhile.
 */
async function lockCaseType(call: Call, version: number): Promise<void> {
  const { rows } = await sql<{ version: number }>`select version from case_types
    where id = ${call.params.id} for no key update`.execute(call.db)
  await refuseStale(call, rows[0]?.version, version)
}

/** Throws a conflict if a publication is not based on the published version, or its `rev` is not that of the draft. */
async function refuseStale(call: Call, published: number | undefined, basedOn: unknown): Promise<void> {
  if (basedOn !== undefined && basedOn !== published) {
    const current = await fetch(call, call.contract.entities.caseType, call.params.id)
    throw publishedConflict(current, await caseTypeDraftOf(call), await lastAuthor(call))
  }
  const { rev } = call.body
  if (rev === undefined) return
  const current = await caseTypeDraftOf(call)
  if (current.rev !== rev) throw draftConflict(current)
}

/** True if the publication notifies and plans steps for the records in which an automation holds from now on. */
function firesEvents({ body: { fire_events = false } }: Call): boolean {
  if (typeof fire_events !== 'boolean') throw fieldProblem({ fire_events: ['must be true or false'] })
  return fire_events
}

/** The author's note on why this version is published. */
function noteOf({ body }: Call): string {
  if (body.note === undefined || body.note === null) return ''
  if (typeof body.note !== 'string' || body.note.length > 500)
    throw fieldProblem({ note: ['Note must have at most 500 characters'] })
  return normaliseLong(body.note)
}
