import { sql } from 'kysely'
import type { Group } from '../../../contract/generated.ts'
import { sourceOfPath } from '../../../contract/seen.ts'
import { seenPathsOf } from '../../../contract/seenPaths.ts'
import { STATUS } from '../../../contract/status.ts'
import type {
  CaseMonitoringInput,
  Client,
  ClientInput,
  SignpostInput,
} from '../../../contract/types/entities.ts'
import type { FieldErrors } from '../../../contract/validateAnswers.ts'
import { isPlainObject, type Values } from '../../../contract/when.ts'
import type { Call } from '../../core/call.ts'
import { fieldProblem, hasFieldErrors, type Problem, refuse } from '../../core/problems.ts'
import type { StoredSeenValues } from '../../records/answersSeen/readOutside.ts'
import { writeAuditEvent } from '../../records/audit/audit.ts'
import { attachFiles } from '../../records/files/attachFiles.ts'
import { refuseMerged } from '../../records/merged/mergedRecords.ts'
import { isId } from '../../records/query/query.ts'
import { validateBody } from '../../records/validate/validateBody.ts'
import { addRecords } from '../../records/verbs/addRecords.ts'
import { fetch, fetchAny } from '../../records/verbs/read.ts'
import {
  addIssueRecords,
  type CaseType,
  caseTypeOf,
  refuseAssignee,
  type ValidatedRecord,
  validateRecord,
  valuesAt,
} from './newRecord.ts'

/** A new client; an existing one has an id. */
type NewClient = { id: number; row: Client } | { id?: undefined; row: ClientInput }

export interface NewCase {
  type: CaseType
  client: NewClient
  caseRecord: ValidatedRecord
  issue: ValidatedRecord
  monitoring: CaseMonitoringInput
  signposting: SignpostInput[]
  /** Why the client is added although an existing one is certainly the same person. */
  newBecause: string | null
}

const MAX_REASON = 300

interface NewCaseOptions {
  /** The case type of the body, if it was read already. */
  caseType?: CaseType
  /** True if missing answers get the defaults of fields that depend on other answers, as in a form. */
  withDefaults?: boolean
  /** The client of the referral that the case accepts, whom the caller may not see otherwise. */
  referred?: number
}

/**
 * Validates the body of a new case as a whole; throws the errors of all parts by path. With `incomplete: true` required
 * answers may be missing.
 */
export async function validateNewCase(
  call: Call,
  { caseType, withDefaults = false, referred }: NewCaseOptions = {},
): Promise<NewCase> {
  const { body, contract } = call
  const type = caseType ?? (await caseTypeOf(call, body))
  if (type.status === STATUS.retired) throw fieldProblem({ case_type: ['This case type is retired'] })
  const { incomplete = false } = body
  if (typeof incomplete !== 'boolean')
    throw fieldProblem({ incomplete: ['Incomplete must be true or false'] })
  const newBecause = body.new_because ?? null
  if (newBecause !== null && (typeof newBecause !== 'string' || newBecause.length > MAX_REASON))
    throw fieldProblem({ new_because: [`The reason must be a text of at most ${MAX_REASON} characters`] })
  /** The errors of each part, in the order of the parts, whichever is validated first. */
  const errors: FieldErrors[] = []
  const collect = <T>(part: Promise<T>) => {
    const own: FieldErrors = {}
    errors.push(own)
    return part.catch((error: Problem) => {
      if (error.statusCode !== 400 || !error.body || !hasFieldErrors(error.body)) throw error
      Object.assign(own, error.body)
      return undefined
    })
  }
  const monitoringSent = valuesAt(body, 'monitoring')
  const client = await collect(clientOf(call, body.client, referred))
  const recordContext = {
    case: { ...valuesAt(body, 'case'), service: type.service },
    // Use an invalid client of a row too, so that answers that depend on it are not reported as missing.
    client: client?.row ?? (withDefaults && isPlainObject(body.client) ? body.client : {}),
  }
  const options = { recordContext, isIncomplete: incomplete, withDefaults }
  // In parallel, because each queries lookup items. Wait for all of them even if one fails: queries of the others would
  // otherwise run in the connection's next transaction.
  const validatedCase = collect(validateRecord(call, contract.entities.case, body, 'case', type, options))
  const validatedIssue = async () => {
    const looksAtCase = seenPathsOf(type.issue_meta as Group[]).some((path) => sourceOfPath(path) === 'case')
    const answers = looksAtCase ? (await validatedCase)?.row.answers : undefined
    const context = { ...recordContext, case: { ...recordContext.case, ...(looksAtCase && { answers }) } }
    return validateRecord(call, contract.entities.issue, body, 'issue', type, {
      ...options,
      recordContext: context,
    })
  }
  const validated = await Promise.allSettled([
    validatedCase,
    collect(validatedIssue()),
    collect(validateBody(call, contract.entities.caseMonitoring, monitoringSent, 'monitoring')),
    collect(signpostsOf(call, body)),
  ])
  const caseRecord = fulfilled(validated[0])
  const issue = fulfilled(validated[1])
  const monitoring = fulfilled(validated[2])
  const signposting = fulfilled(validated[3])
  if (issue && caseRecord) {
    const assigned = { ...issue.row, service: type.service, contract: caseRecord.row.contract }
    await collect(refuseAssignee(call, assigned, 'issue.advocate'))
  }
  refuse(Object.assign({}, ...errors))
  return {
    type,
    client: client!,
    caseRecord: caseRecord!,
    issue: issue!,
    monitoring: monitoring!,
    signposting: signposting!,
    newBecause,
  }
}

function fulfilled<T>(settled: PromiseSettledResult<T>): T {
  if (settled.status === 'rejected') throw settled.reason
  return settled.value
}

/** The ids of an added case, its client and its issue. */
export interface AddedCase {
  id: number
  client: number
  issue: number
}

/** Stores validated new cases with all their parts, in as many round trips as one; returns their ids in that order. */
export async function insertNewCases(call: Call, cases: NewCase[]): Promise<AddedCase[]> {
  const { me } = call
  const stampOf = ({ type }: NewCase) => ({
    case_type_version: type.version,
    validated_version: type.version,
    counted_version: type.version,
    created_by: me.id,
  })
  const clientIds = await clientIdsOf(call, cases)
  const caseRows = cases.map((one, i) => ({
    ...one.caseRecord.row,
    ...stampOf(one),
    client: clientIds[i],
    service: one.type.service,
    case_type: one.type.id,
    answers_seen: seenIn(one.caseRecord, { client: clientIds[i] }),
  }))
  const caseIds = await addRecords(call, 'case', caseRows)
  const issueRows = cases.map((one, i) => ({
    ...one.issue.row,
    ...stampOf(one),
    case: caseIds[i],
    service: one.type.service,
    contract: one.caseRecord.row.contract,
    hub: me.hub,
    answers_seen: seenIn(one.issue, { client: clientIds[i], case: caseIds[i] }),
  }))
  const issueIds = await addIssueRecords(call, issueRows)
  for (const [i, { caseRecord, issue }] of cases.entries()) {
    await attachAnswers(call, 'case', caseIds[i], caseRecord)
    await attachAnswers(call, 'issue', issueIds[i], issue)
  }
  await saveMonitoring(
    call,
    cases.map(({ monitoring }, i) => ({ case: caseIds[i], monitoring })),
  )
  const signposts = cases.flatMap(({ signposting }, i) =>
    signposting.map((row) => ({ ...row, client: clientIds[i], case: caseIds[i], created_by: me.id })),
  )
  await addRecords(call, 'signpost', signposts)
  return caseIds.map((id, i) => ({ id, client: clientIds[i], issue: issueIds[i] }))
}

/** The values of records that a form was evaluated with, with the ids of those that were created together with it. */
function seenIn({ row }: ValidatedRecord, ids: { client: number; case?: number }): StoredSeenValues {
  const entries = Object.entries(row.answers_seen ?? {}).map(([path, value]) => {
    const source = sourceOfPath(path)
    return [path, source === 'client' || source === 'case' ? { ...value, record: ids[source] } : value]
  })
  return Object.fromEntries(entries)
}

/** The client id of each case, after storing new clients. */
async function clientIdsOf(call: Call, cases: NewCase[]): Promise<number[]> {
  const unknown = cases.filter(({ client }) => client.id === undefined)
  const rows = unknown.map(({ client }) => ({ ...client.row, created_by: call.me.id }))
  const ids = await addRecords(call, 'client', rows)
  const added = new Map(unknown.map((one, i) => [one, ids[i]]))
  for (const [{ newBecause }, id] of added)
    if (newBecause) {
      const changes = { reason: { from: null, to: newBecause } }
      await writeAuditEvent(call, { action: 'enter as new', entity: 'client', record: id, changes })
    }
  return cases.map((one) => one.client.id ?? added.get(one)!)
}

function attachAnswers(
  call: Call,
  entity: 'case' | 'issue',
  record: number,
  { fields, row }: ValidatedRecord,
): Promise<void> {
  return attachFiles(call, { entity, record, at: `${entity}.answers` }, fields, row.answers!)
}

async function clientOf(call: Call, client: unknown, referred: number | undefined): Promise<NewClient> {
  const { contract } = call
  const existing = typeof client === 'number' ? client : (client as Values | null)?.id
  if (existing !== undefined) {
    if (typeof existing !== 'number' || !isId(String(existing)))
      throw fieldProblem({ client: ['Choose a client'] })
    const read = existing === referred ? fetchAny : fetch
    const row = await read(call, contract.entities.client, existing).catch(async (error) => {
      await refuseMerged(call, 'client', existing)
      throw error
    })
    if (row.status !== STATUS.active) throw fieldProblem({ client: ['This client is retired'] })
    return { id: row.id, row }
  }
  if (client === null || typeof client !== 'object')
    throw fieldProblem({ client: ['Choose a client or enter a new one'] })
  return { row: await validateBody(call, contract.entities.client, client as Values, 'client') }
}

async function signpostsOf(call: Call, body: Values): Promise<SignpostInput[]> {
  const at = 'signposting'
  const rows = body[at] ?? []
  if (!Array.isArray(rows) || rows.length > 50) throw fieldProblem({ [at]: ['must be a list of at most 50'] })
  const validated: SignpostInput[] = []
  for (const [i, one] of rows.entries()) {
    if (one === null || typeof one !== 'object')
      throw fieldProblem({ [`${at}.${i}`]: ['must be a group of values'] })
    const { row: _, ...value } = one
    validated.push(await validateBody(call, call.contract.entities.signpost, value, `${at}.${i}`))
  }
  return validated
}

/** Updates the monitoring rows that a trigger inserted with the cases. */
async function saveMonitoring(
  call: Call,
  all: { case: number; monitoring: CaseMonitoringInput }[],
): Promise<void> {
  const names = [...new Set(all.flatMap(({ monitoring }) => Object.keys(monitoring)))]
  if (names.length === 0) return
  await sql`update case_monitoring m set (${sql.join(names.map((name) => sql.ref(name)))}) =
      (select ${sql.join(names.map((name) => sql.ref(`p.${name}`)))} from jsonb_populate_record(m, g.monitoring) p)
    from jsonb_to_recordset(${JSON.stringify(all)}::jsonb) as g("case" int, monitoring jsonb)
    where m."case" = g."case"`.execute(call.db)
}
