import { isSet } from '../../contract/when.ts'
import type { Handler } from '../call.ts'
import { fieldProblem } from '../problems.ts'
import { create as createRecord } from '../verbs/create.ts'
import { lastCreatedBy } from '../verbs/lastCreatedBy.ts'

/** A new action, on an issue or else on a case. */
export const create: Handler = (call) => {
  const { issue, case: caseRecord } = call.body
  if (!isSet(issue) && !isSet(caseRecord))
    throw fieldProblem({ issue: ['Choose the issue or case it was for'] })
  return createRecord(call, call.contract.entities.action)
}

/** What the caller wrote last, for the next one to begin with; empty where there is none. */
export const last: Handler = (call) => lastCreatedBy(call, call.contract.entities.action)
