import { sql } from 'kysely'
import type { Entity } from '../../contract/generated.ts'
import { STATUS } from '../../contract/status.ts'
import type { FieldErrors } from '../../contract/validateAnswers.ts'
import type { Values } from '../../contract/when.ts'
import type { Call } from '../call.ts'
import { assignments } from '../columns.ts'
import { attachFiles } from '../files/attachFiles.ts'
import { fieldProblem, type Problem, refuse } from '../problems.ts'
import { validateBody } from '../validate/validateBody.ts'
import { fetch } from '../verbs/read.ts'
import {
  addIssueRecord,
  addRecord,
  type CaseType,
  caseTypeOf,
  refuseAssignee,
  type ValidatedRecord,
  validateRecord,
  valuesAt,
} from './newRecord.ts'

/** The parts of a new case once they are validated. */
export interface NewCase {
  type: CaseType
  /** With an id it is there already. */
  client: { id?: number; row: Values }
  caseRecord: ValidatedRecord
  issue: ValidatedRecord
  monitoring: Values
  signposting: Values[]
}

/**
 * Validates the body of a new case as a whole; throws every error of every part by its path. With `incomplete: true`
 * required answers may be missing.
 */
export async function validateNewCase(call: Call, caseType?: CaseType): Promise<NewCase> {
  const { body, contract } = call
  const type = caseType ?? (await caseTypeOf(call, body))
  if (type.status === STATUS.retired) throw fieldProblem({ case_type: ['This case type is retired'] })
  const { incomplete = false } = body
  if (typeof incomplete !== 'boolean')
    throw fieldProblem({ incomplete: ['Incomplete must be true or false'] })
  const errors: FieldErrors = {}
  const collect = <T>(part: Promise<T>) =>
    part.catch((error: Problem) => {
      if (error.statusCode !== 400 || !error.body || 'code' in error.body) throw error
      Object.assign(errors, error.body)
      return undefined
    })
  const monitoringSent = valuesAt(body, 'monitoring')
  const client = await collect(clientOf(call, body.client))
  const recordContext = {
    case: { ...valuesAt(body, 'case'), service: type.service },
    client: client?.row ?? {},
  }
  // Beside one another, since each asks the database which items there are. All are waited for, also where one fails:
  // what it still asked would otherwise reach the connection's next transaction.
  const validated = await Promise.allSettled([
    collect(validateRecord(call, contract.entities.case, body, 'case', type, recordContext, incomplete)),
    collect(validateRecord(call, contract.entities.issue, body, 'issue', type, recordContext, incomplete)),
    collect(validateBody(call, contract.entities.caseMonitoring, monitoringSent, 'monitoring')),
    collect(rowsOf(call, contract.entities.signpost, body, 'signposting')),
  ])
  const caseRecord = fulfilled(validated[0])
  const issue = fulfilled(validated[1])
  const monitoring = fulfilled(validated[2])
  const signposting = fulfilled(validated[3])
  if (issue && caseRecord) {
    const assigned = { ...issue.row, service: type.service, contract: caseRecord.row.contract }
    await collect(refuseAssignee(call, assigned, 'issue.advocate'))
  }
  refuse(errors)
  return {
    type,
    client: client!,
    caseRecord: caseRecord!,
    issue: issue!,
    monitoring: monitoring!,
    signposting: signposting!,
  }
}

function fulfilled<T>(settled: PromiseSettledResult<T>): T {
  if (settled.status === 'rejected') throw settled.reason
  return settled.value
}

/** Stores a validated new case with everything below it, and answers the ids. */
export async function insertNewCase(
  call: Call,
  { type, client, caseRecord, issue, monitoring, signposting }: NewCase,
): Promise<{ id: number; client: number; issue: number }> {
  const { me } = call
  const clientId = client.id ?? (await addRecord(call, 'client', { ...client.row, created_by: me.id }))
  const stamp = { case_type_version: type.version, validated_version: type.version, created_by: me.id }
  const caseId = await addRecord(call, 'case', {
    ...caseRecord.row,
    ...stamp,
    client: clientId,
    service: type.service,
    case_type: type.id,
  })
  const issueId = await addIssueRecord(call, {
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
  const ofCase = { client: clientId, case: caseId, created_by: me.id }
  await Promise.all(signposting.map((row) => addRecord(call, 'signpost', { ...row, ...ofCase })))
  return { id: caseId, client: clientId, issue: issueId }
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

async function saveMonitoring(call: Call, caseId: number, values: Values): Promise<void> {
  await sql`update case_monitoring set ${assignments(values)} where "case" = ${caseId}`.execute(call.db)
}
