import type { Group } from '../../../contract/generated.ts'
import type { MetaName } from '../../../contract/meta/metaTypes.ts'
import type { SeenValues } from '../../../contract/seen.ts'
import { seenPathsOf } from '../../../contract/seenPaths.ts'
import type { Call, Handler } from '../../core/call.ts'
import { problem } from '../../core/problems.ts'
import { isOfLast, readOutside } from '../../records/answersSeen/readOutside.ts'
import { forReader } from '../../records/answersSeen/seenForReader.ts'
import { fetch } from '../../records/verbs/read.ts'
import { update } from '../../records/verbs/update.ts'
import { type CaseType, caseTypeOf } from '../cases/newRecord.ts'

/** Reads again the values of other records that a case's form was evaluated with, and evaluates the form with them. */
export const takeLatestOfCase: Handler = (call) => takeLatest(call, 'case')

export const takeLatestOfIssue: Handler = (call) => takeLatest(call, 'issue')

function takeLatest(call: Call, entity: 'case' | 'issue') {
  return update({ ...call, body: {} }, call.contract.entities[entity], { isLatest: true })
}

/** The values of the client's last case and issue of one case type, for the forms of a new case. */
export const forNewCase: Handler = async (call) => {
  const client = await fetch(call, call.contract.entities.client, call.params.id)
  const type = await caseTypeOf(call, { case_type: Number(call.params.case_type) })
  return {
    id: client.id,
    case_meta: await lastOf(call, 'case_meta', type, client.id),
    issue_meta: await lastOf(call, 'issue_meta', type, client.id),
  }
}

/** The values of the client's last issue of the same case type, for the form of a new issue of a case. */
export const forNewIssue: Handler = async (call) => {
  const { id, case_type, client } = await fetch(call, call.contract.entities.case, call.params.id)
  if (case_type !== Number(call.params.case_type)) throw problem('notFound')
  const type = await caseTypeOf(call, { case_type })
  return { id, case_meta: {}, issue_meta: await lastOf(call, 'issue_meta', type, client!) }
}

async function lastOf(call: Call, which: MetaName, type: CaseType, client: number): Promise<SeenValues> {
  const paths = seenPathsOf(type[which] as Group[]).filter(isOfLast)
  const values = await readOutside(call, { which, caseType: type.id, client: { id: client } }, paths)
  return Object.fromEntries(paths.map((path) => [path, forReader(values[path])]))
}
