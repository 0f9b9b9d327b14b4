import { sql } from 'kysely'
import { REFERRAL_STATUS, STATUS } from '../../../contract/status.ts'
import type { Handler } from '../../core/call.ts'
import { fieldProblem } from '../../core/problems.ts'
import { withAnswers } from '../../records/answersSeen/seenOfRecord.ts'
import { attachFiles } from '../../records/files/attachFiles.ts'
import { auditPurge, purgeCases, refuseHiddenIssues, refuseRecent } from '../../records/purge/purge.ts'
import { list as listRows } from '../../records/verbs/list.ts'
import { lockRow } from '../../records/verbs/lockRow.ts'
import { fetch, fetchAny } from '../../records/verbs/read.ts'
import { decide, referralOfDraft } from '../referrals/decide.ts'
import { copyDocuments } from '../referrals/referralDocuments.ts'
import { insertNewCases, validateNewCase } from './newCase.ts'
import { addIssueRecords, caseTypeOf, refuseAssignee, validateRecord } from './newRecord.ts'

/** The case list keyed by id, as specified; `order` has the sorted ids, because integer keys are always ascending. */
export const list: Handler = async (call) => {
  const { data, pagination } = await listRows(call, call.contract.entities.caseRow)
  if (call.exporting) return { data, pagination }
  const order = data.map(({ id }) => id)
  return { data: Object.fromEntries(data.map((row) => [row.id, row])), order, pagination }
}

/**
 * Creates client, case, issue, monitoring and signposting of the wizard: all, or none with all errors by path. Accepts
 * the referral that the draft was made from, whose documents the issue gets.
 */
export const create: Handler = async (call) => {
  const referral = await referralOfDraft(call)
  const [added] = await insertNewCases(call, [
    await validateNewCase(call, { referred: referral?.from_client ?? undefined }),
  ])
  const [{ rows }] = await Promise.all([
    sql<{ client_name: string }>`select trim(first_name || ' ' || last_name) as client_name
      from clients where id = ${added.client}`.execute(call.db),
    referral && decide(call, referral, { status: REFERRAL_STATUS.accepted, case: added.id }),
  ])
  if (referral) await copyDocuments(call, referral.id, added.issue)
  call.reply.code(201)
  return { ...added, ...rows[0] }
}

/** Adds an issue to a case, validated like the wizard's, and returns it. */
export const addIssue: Handler = async (call) => {
  const { contract, body, me, params } = call
  const caseRecord = await fetch(call, contract.entities.case, params.id)
  if (caseRecord.status !== STATUS.active) throw fieldProblem({ case: ['This case is retired'] })
  const type = await caseTypeOf(call, { case_type: caseRecord.case_type })
  const client = await fetchAny(call, contract.entities.client, caseRecord.client)
  const recordContext = { case: await withAnswers(call, { ...caseRecord, service: type.service }), client }
  const { row, fields } = await validateRecord(call, contract.entities.issue, body, '', type, {
    recordContext,
  })
  await refuseAssignee(
    call,
    { ...row, service: caseRecord.service, contract: caseRecord.contract },
    'advocate',
  )
  const added = {
    ...row,
    case_type_version: type.version,
    validated_version: type.version,
    counted_version: type.version,
    created_by: me.id,
    case: caseRecord.id,
    service: caseRecord.service,
    contract: caseRecord.contract,
    hub: me.hub,
  }
  const [id] = await addIssueRecords(call, [added])
  const owner = { entity: 'issue', record: id, at: 'answers' }
  await attachFiles(call, owner, fields, row.answers!)
  call.reply.code(201)
  return fetchAny(call, contract.entities.issue, id)
}

/** Deletes an old case permanently; the audit event of the deletion remains. */
export const purge: Handler = async (call) => {
  const { contract, params } = call
  await lockRow(call, contract.entities.case)
  const caseRecord = await fetch(call, contract.entities.case, params.id)
  await refuseHiddenIssues(call, 'case')
  await refuseRecent(call, 'case')
  await purgeCases(call, [caseRecord.id])
  await auditPurge(call, 'case')
  return { id: caseRecord.id }
}
