import { sql } from 'kysely'
import { isEqual } from '../../contract/applyChanges.ts'
import type { FormTest, Group } from '../../contract/generated.ts'
import { checkMeta } from '../../contract/meta/checkMeta.ts'
import { suggest } from '../../contract/suggest.ts'
import type { Values } from '../../contract/when.ts'
import { afterReply } from '../afterReply.ts'
import { writeAuditEvent } from '../audit/audit.ts'
import type { Call, Handler } from '../call.ts'
import { draftConflict, draftOf, emptyDraft, lastAuthor, publishedConflict } from '../caseTypeDraft.ts'
import { changedFields, usageOf } from '../caseTypeUsage.ts'
import type { Row } from '../db.ts'
import { publishPictures } from '../files/notePictures.ts'
import { indexAnswers } from '../jobs/indexAnswers.ts'
import { withLists } from '../lookups/parentLists.ts'
import { fieldProblem, problem, refuse } from '../problems.ts'
import { refuseFailingTests } from '../validate/formTests.ts'
import { validateMetaShape, validateTestsShape } from '../validate/metaShape.ts'
import { revalidateRecords } from '../validate/revalidateRecords.ts'
import { unknownKeyErrors } from '../validate/unknownKeys.ts'
import { validateBody } from '../validate/validateBody.ts'
import { fetch } from '../verbs/read.ts'

type Meta = { case_meta: Group[]; issue_meta: Group[]; tests: FormTest[] }

/** What a publication may say besides what the case type is. */
const ABOUT = ['note', 'publish_anyway']

/** Publishes a new case type as its version 1. */
export const create: Handler = async (call) => {
  refuseOthers(call.body, ['label', 'service', 'case_meta', 'issue_meta', 'tests', ...ABOUT])
  const { label, service } = await labelAndService(call)
  const meta = metaFrom(call, { case_meta: [], issue_meta: [], tests: [] })
  await refuseBad(call, meta)
  const anyway = await refuseFailingTests(call, { ...meta, service: Number(service) })
  const { rows } = await sql<{
    id: number
  }>`insert into case_types (label, service, case_meta, issue_meta, tests)
    values (${label}, ${service}, ${JSON.stringify(meta.case_meta)}, ${JSON.stringify(meta.issue_meta)},
      ${JSON.stringify(meta.tests)}) returning id`.execute(call.db)
  call.params = { id: rows[0].id }
  await publishPictures(call, rows[0].id, meta)
  await remember(call, 1, anyway)
  call.reply.code(201)
  return fetch(call, call.contract.entities.caseType, rows[0].id)
}

/** Publishes a change as the next version; a version that is not the last one is a conflict that shows the last. */
export const update: Handler = async (call) => {
  const { db, body, params, contract } = call
  const { rows } = await sql<Row & Meta & { version: number; label: string; service: number }>`
    select * from case_types where id = ${params.id} for update`.execute(db)
  const before = rows[0]
  if (!before) throw problem('notFound')
  refuseOthers(body, ['version', 'label', 'service', 'case_meta', 'issue_meta', 'tests', 'rev', ...ABOUT])
  if (body.service !== undefined && body.service !== before.service)
    throw fieldProblem({ service: ['The service of a case type stays as it was made'] })
  if (body.version !== undefined && body.version !== before.version) {
    const current = await fetch(call, contract.entities.caseType, params.id)
    throw publishedConflict(current, await draftOf(call), await lastAuthor(call))
  }
  await refuseOtherDraft(call)
  const label = body.label === undefined ? before.label : labelOf(body)
  await refuseSameLabel(call, label, before.service, Number(params.id))
  const meta = metaFrom(call, before)
  await refuseBad(call, meta, {
    meta: before,
    usage: await usageOf(db, Number(params.id), before, changedFields(before, meta)),
  })
  if (
    before.version > 0 &&
    label === before.label &&
    isEqual(meta.case_meta, before.case_meta) &&
    isEqual(meta.issue_meta, before.issue_meta) &&
    isEqual(meta.tests, before.tests)
  ) {
    return fetch(call, contract.entities.caseType, params.id)
  }
  const anyway = await refuseFailingTests(call, { ...meta, service: before.service })
  await sql`update case_types set label = ${label}, case_meta = ${JSON.stringify(meta.case_meta)},
    issue_meta = ${JSON.stringify(meta.issue_meta)}, tests = ${JSON.stringify(meta.tests)}, version = version + 1, updated_at = now() where id = ${params.id}`.execute(
    db,
  )
  await publishPictures(call, Number(params.id), meta)
  await remember(call, before.version + 1, anyway)
  revalidateAfterPublish(call)
  return fetch(call, contract.entities.caseType, params.id)
}

/** Begins a case type that staff are not offered before it is published; `copy_of` names one to begin with. */
export const begin: Handler = async (call) => {
  const { db, me, contract } = call
  const body = await validateBody(call, contract.bodies.newCaseType, call.body)
  const from =
    body.copy_of === undefined || body.copy_of === null
      ? undefined
      : await fetch(call, contract.entities.caseType, body.copy_of as number)
  const { label, service } = await labelAndService({ ...call, body })
  const { rows } = await sql<{ id: number }>`insert into case_types (label, service, version)
    values (${label}, ${service}, 0) returning id`.execute(db)
  const [{ id }] = rows
  await sql`insert into case_type_drafts (case_type, base_version, label, case_meta, issue_meta, tests, author) values (
    ${id}, 0, ${label}, ${JSON.stringify(from?.case_meta ?? [])}, ${JSON.stringify(from?.issue_meta ?? [])},
    ${JSON.stringify(from?.tests ?? [])}, ${me.id})`.execute(db)
  await writeAuditEvent(call, { action: 'create', entity: 'caseType', record: id, version: 0 })
  call.reply.code(201)
  return fetch(call, contract.entities.caseType, id)
}

/** How many cases and issues there are of a case type, and how many of them answer each field and chose each choice. */
export const usage: Handler = async (call) => {
  const type = await fetch(call, call.contract.entities.caseType, call.params.id)
  const { rows } = await sql<{ cases: number; open_cases: number; issues: number }>`select
    (select count(*) from cases where case_type = ${call.params.id}) as cases,
    (select open_cases from case_type_rows where id = ${call.params.id}) as open_cases,
    (select count(*) from issues i join cases k on k.id = i."case" where k.case_type = ${call.params.id}) as issues`.execute(
    call.db,
  )
  return { ...rows[0], ...(await usageOf(call.db, Number(type.id), type as unknown as Meta)) }
}

function metaFrom({ body, contract }: Call, before: Meta): Meta {
  const { case_meta, issue_meta, tests } = { ...before, ...(body as Partial<Meta>) }
  refuse({
    ...validateMetaShape(contract, { case_meta, issue_meta }),
    ...validateTestsShape(contract, tests),
  })
  return { case_meta, issue_meta, tests }
}

async function refuseBad(call: Call, meta: Meta, before?: Parameters<typeof checkMeta>[2]): Promise<void> {
  const errors: Record<string, string[]> = {}
  for (const { meta: which, path, message } of checkMeta(meta, await withLists(call), before)) {
    const at = [which, ...path].join('.')
    errors[at] = [...(errors[at] ?? []), message]
  }
  refuse(errors)
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

/** People tell the case types of a service apart by their names alone. */
async function refuseSameLabel({ db }: Call, label: string, service: number, own?: number): Promise<void> {
  const { rows } = await sql<{ label: string }>`select label from case_types
    where service = ${service} and id is distinct from ${own ?? null}::int
      and lower(regexp_replace(label, '\\s', '', 'g')) = lower(regexp_replace(${label}, '\\s', '', 'g'))`.execute(
    db,
  )
  if (rows[0])
    throw fieldProblem({
      label: [`Another case type of this service is called '${rows[0].label}': choose another name`],
    })
}

/** A key that is not known is a mistake of whoever sent it, not something to pass over. */
function refuseOthers(body: Values, known: string[]): void {
  const others = Object.keys(body).filter((key) => !known.includes(key))
  refuse(unknownKeyErrors(others, (key) => `no field '${key}' in Case type${suggest(key, known)}`))
}

function labelOf({ label }: Values): string {
  if (typeof label !== 'string' || !label.trim() || label.length > 200)
    throw fieldProblem({ label: ['Label must have 1 to 200 characters'] })
  return label.trim()
}

async function remember(call: Call, version: number, anyway: string): Promise<void> {
  const { db, me, params } = call
  await sql`insert into case_type_versions
      (case_type, version, label, case_meta, issue_meta, tests, author, note, published_anyway)
    select id, version, label, case_meta, issue_meta, tests, ${me.id}, ${noteOf(call)}, ${anyway} from case_types where id = ${params.id}`.execute(
    db,
  )
  // Open pages hear of the publication with it.
  await emptyDraft(call)
  await writeAuditEvent(call, {
    action: 'publish',
    entity: 'caseType',
    record: Number(call.params.id),
    version,
    ...(anyway && { changes: { published_anyway: { from: null, to: anyway } } }),
  })
}

/** Indexes stored answers and revalidates stored records with the new version; if this server stops, the hourly job continues. */
function revalidateAfterPublish(call: Call): void {
  const { request, settings } = call
  afterReply(call, async (db) => {
    await indexAnswers({ db, ending: request.server.ending })
    const startedAt = performance.now()
    const validated = await revalidateRecords({
      db,
      timeZone: settings.TIME_ZONE,
      ending: request.server.ending,
    })
    request.log.info(
      { id: request.id, validated, ms: Math.round(performance.now() - startedAt) },
      'records revalidated',
    )
  })
}

/** Whoever publishes a draft by its `rev` must have seen what others kept in it. */
async function refuseOtherDraft(call: Call): Promise<void> {
  const { rev } = call.body
  if (rev === undefined) return
  const current = await draftOf(call)
  if (current.rev !== rev) throw draftConflict(current)
}

/** Why this version is published, in its author's words. */
function noteOf({ body }: Call): string {
  if (body.note === undefined || body.note === null) return ''
  if (typeof body.note !== 'string' || body.note.length > 500)
    throw fieldProblem({ note: ['Note must have at most 500 characters'] })
  return body.note.trim()
}
