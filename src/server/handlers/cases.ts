import { sql } from 'kysely'
import { applyEarlierVersions, fieldsOf } from '../../contract/applyEarlierVersions.ts'
import { editableFields } from '../../contract/entity.ts'
import type { Entity, Field, Group } from '../../contract/generated.ts'
import { STATUS } from '../../contract/status.ts'
import { isSet, type Values } from '../../contract/when.ts'
import { writeAuditEvent } from '../audit/audit.ts'
import type { Call, Handler } from '../call.ts'
import { insertRow } from '../columns.ts'
import type { Row } from '../db.ts'
import { attachFiles } from '../files/attachFiles.ts'
import { isOld } from '../isOld.ts'
import { fieldProblem, prefixed, problem, refuse } from '../problems.ts'
import { auditPurge, purgeCases } from '../purge.ts'
import { acceptByDraft } from '../referrals/decide.ts'
import { refuseAssignees } from '../staff/assignees.ts'
import { today } from '../today.ts'
import { ajvValidate } from '../validate/ajvValidate.ts'
import { refuseNoAnswers, versionsSince } from '../validate/meta.ts'
import { refuseUnknownItems } from '../validate/refuseUnknownItems.ts'
import { validateBody } from '../validate/validateBody.ts'
import { list as listRows } from '../verbs/list.ts'
import { lockRow } from '../verbs/lockRow.ts'
import { fetch, fetchAny } from '../verbs/read.ts'

interface CaseType {
  id: number
  status: number
  version: number
  service: number
  case_meta: Group[]
  issue_meta: Group[]
}

/** The case list keyed by id, as specified; `order` has the ids as they are sorted, for integer keys come out ascending. */
export const list: Handler = async (call) => {
  const { data, pagination } = await listRows(call, call.contract.entities.caseRow)
  if (call.exporting) return { data, pagination }
  const order = data.map(({ id }) => id)
  return { data: Object.fromEntries(data.map((row) => [row.id, row])), order, pagination }
}

/** Client, case, issue, monitoring and signposting of the wizard: all of them, or none and every error by its path. */
export const create: Handler = async (call) => {
  const { body, contract, me } = call
  const type = await caseTypeOf(call, body)
  if (type.status === STATUS.retired) throw fieldProblem({ case_type: ['This case type is retired'] })
  const client = await clientOf(call, body.client)
  const recordContext = { case: { ...group(body, 'case'), service: type.service }, client: client.row }
  const caseRecord = await part(call, contract.entities.case, body, 'case', type, recordContext)
  const issue = await part(call, contract.entities.issue, body, 'issue', type, recordContext)
  const assigned = { ...issue.row, service: type.service, contract: caseRecord.row.contract }
  await refuseAssignee(call, assigned, 'issue.advocate')
  const monitoring = await validateBody(
    call,
    contract.entities.caseMonitoring,
    group(body, 'monitoring'),
    'monitoring',
  )
  const signposting = await rowsOf(call, contract.entities.signpost, body, 'signposting')

  const clientId = client.id ?? (await add(call, 'client', { ...client.row, created_by: me.id }))
  const stamp = { case_type_version: type.version, validated_version: type.version, created_by: me.id }
  const caseId = await add(call, 'case', {
    ...caseRecord.row,
    ...stamp,
    client: clientId,
    service: type.service,
    case_type: type.id,
  })
  const issueId = await add(call, 'issue', {
    ...issue.row,
    ...stamp,
    case: caseId,
    service: type.service,
    contract: caseRecord.row.contract,
    hub: me.hub,
  })
  await attachFiles(
    call,
    { entity: 'case', record: caseId, at: 'case.answers' },
    caseRecord.fields,
    caseRecord.row.answers as Values,
  )
  await attachFiles(
    call,
    { entity: 'issue', record: issueId, at: 'issue.answers' },
    issue.fields,
    issue.row.answers as Values,
  )
  if (Object.keys(monitoring).length > 0) await saveMonitoring(call, caseId, monitoring)
  for (const row of signposting)
    await add(call, 'signpost', { ...row, client: clientId, case: caseId, created_by: me.id })
  await acceptByDraft(call, caseId)
  call.reply.code(201)
  return { id: caseId, client: clientId, issue: issueId }
}

/** A further issue of a case, validated like the wizard's; answers the issue. */
export const addIssue: Handler = async (call) => {
  const { contract, body, me, params } = call
  const caseRecord = await fetch(call, contract.entities.case, params.id)
  if (caseRecord.status !== STATUS.active) throw fieldProblem({ case: ['This case is retired'] })
  const type = await caseTypeOf(call, { case_type: caseRecord.case_type })
  const client = await fetchAny(call, contract.entities.client, caseRecord.client)
  const recordContext = { case: { ...caseRecord, service: type.service }, client }
  const { row, fields } = await part(call, contract.entities.issue, body, '', type, recordContext)
  await refuseAssignee(
    call,
    { ...row, service: caseRecord.service, contract: caseRecord.contract },
    'advocate',
  )
  const id = await add(call, 'issue', {
    ...row,
    case_type_version: type.version,
    validated_version: type.version,
    created_by: me.id,
    case: caseRecord.id,
    service: caseRecord.service,
    contract: caseRecord.contract,
    hub: me.hub,
  })
  const owner = { entity: 'issue', record: id, at: 'answers' }
  await attachFiles(call, owner, fields, row.answers as Values)
  call.reply.code(201)
  return fetchAny(call, contract.entities.issue, id)
}

/** Deletes an old case for good; who did it, and when, stays. */
export const purge: Handler = async (call) => {
  const { contract, params } = call
  await lockRow(call, contract.entities.case)
  const caseRecord = await fetch(call, contract.entities.case, params.id)
  const row = await fetch(call, contract.entities.caseRow, params.id)
  if (!isOld(call, String(row.old_since))) throw problem('notOld')
  await purgeCases(call, [Number(caseRecord.id)])
  await auditPurge(call, 'case')
  return { id: caseRecord.id }
}

async function caseTypeOf({ db }: Call, body: Values): Promise<CaseType> {
  const { service, case_type } = body
  const { rows } =
    await sql<CaseType>`select * from case_types where version > 0 and id = ${Number.isInteger(case_type) ? case_type : 0}`.execute(
      db,
    )
  if (!rows[0]) throw fieldProblem({ case_type: ['Choose case type'] })
  if (service !== undefined && service !== rows[0].service)
    throw fieldProblem({ case_type: ['Case type must be one of the service'] })
  return rows[0]
}

async function clientOf(call: Call, client: unknown): Promise<{ id?: number; row: Values }> {
  const { contract } = call
  const existing = typeof client === 'number' ? client : (client as Values | null)?.id
  if (existing !== undefined) {
    if (!Number.isInteger(existing)) throw fieldProblem({ client: ['Choose a client'] })
    const row = await fetch(call, contract.entities.client, existing)
    if (row.status !== STATUS.active) throw fieldProblem({ client: ['This client is retired'] })
    return { id: existing as number, row }
  }
  if (client === null || typeof client !== 'object')
    throw fieldProblem({ client: ['Choose a client or enter a new one'] })
  return { row: await validateBody(call, contract.entities.client, client as Values, 'client') }
}

/** Refuses the advocate of a new issue, where it names one who does not work on its service and contract. */
async function refuseAssignee(call: Call, issue: Row, path: string): Promise<void> {
  const { advocate, service, contract } = issue as { advocate?: number; service: number; contract: number }
  if (!isSet(advocate)) return
  await refuseAssignees(call, [{ issue: { service, contract }, advocate: Number(advocate), path }])
}

/** The columns of a case or issue: its own fields, and its answers validated whole by the meta, with the fields of these. */
async function part(
  call: Call,
  entity: Entity,
  body: Values,
  at: string,
  type: CaseType,
  recordContext: Values,
): Promise<{ row: Row; fields: Field[] }> {
  const { answers: sent = {}, ...own } = at ? group(body, at) : body
  const answersAt = at ? `${at}.answers` : 'answers'
  refuseNoAnswers(sent, answersAt)
  const columns = await validateBody(call, entity, pickEditable(entity, own), at, { with: recordContext })
  const { id, groups: roles } = call.me
  const conditionContext = {
    record: recordContext.case as Values,
    with: recordContext,
    user: { id, groups: roles },
  }
  const which = entity.$id === 'case' ? 'case_meta' : 'issue_meta'
  const groups = type[which]
  const given = {
    groups,
    stored: {},
    sent: sent as Values,
    conditionContext,
    validateSchema: ajvValidate,
    today: today(call.settings.TIME_ZONE),
    all: true,
  }
  const form = { caseType: type.id, which, version: type.version } as const
  const versions = await versionsSince(call, form, body.case_type_version)
  const { values, visibleValues, errors, invalid, earlier } = applyEarlierVersions(given, versions)
  refuse(prefixed(answersAt, errors))
  for (const one of [{ groups, values: visibleValues }, ...earlier])
    await refuseUnknownItems(call, { ...one, stored: {}, conditionContext, at: answersAt })
  return {
    row: { ...columns, answers: values, invalid_fields: invalid },
    fields: fieldsOf(groups, earlier),
  }
}

/** What the wizard carries along (service, ids) is set here and not taken from it. */
function pickEditable(entity: Entity, values: Values): Values {
  const names = new Set([...editableFields(entity).map((f) => f.name)])
  const known = (name: string) => names.has(name) || !Object.hasOwn(entity.properties, name)
  return Object.fromEntries(Object.entries(values).filter(([name]) => known(name)))
}

function group(body: Values, at: string): Values {
  const value = body[at] ?? {}
  if (typeof value !== 'object' || Array.isArray(value))
    throw fieldProblem({ [at]: ['must be a group of values'] })
  return value as Values
}

async function rowsOf(call: Call, entity: Entity, body: Values, at: string): Promise<Values[]> {
  const rows = body[at] ?? []
  if (!Array.isArray(rows) || rows.length > 50) throw fieldProblem({ [at]: ['must be a list of at most 50'] })
  const validated: Values[] = []
  for (const [i, one] of rows.entries()) {
    if (one === null || typeof one !== 'object')
      throw fieldProblem({ [`${at}.${i}`]: ['must be a group of values'] })
    const { row: _, ...value } = one
    validated.push(await validateBody(call, entity, value, `${at}.${i}`))
  }
  return validated
}

async function add(call: Call, name: string, row: Row): Promise<number> {
  const { rows } = await insertRow(call.contract.entities[name].table!, row).execute(call.db)
  const { id } = rows[0] as { id: number }
  await writeAuditEvent(call, { action: 'create', entity: name, record: id, version: 1 })
  return id
}

async function saveMonitoring(call: Call, caseId: number, values: Values): Promise<void> {
  const columns = Object.entries(values).map(([name, value]) => sql`${sql.ref(name)} = ${value}`)
  await sql`update case_monitoring set ${sql.join(columns)} where "case" = ${caseId}`.execute(call.db)
}
