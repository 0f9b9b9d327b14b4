import { sql } from 'kysely'
import { isSet } from '../../../contract/when.ts'
import type { Handler } from '../../core/call.ts'
import { fieldProblem } from '../../core/problems.ts'
import { create as createRecord } from '../../records/verbs/create.ts'
import { lastCreatedBy } from '../../records/verbs/lastCreatedBy.ts'

/** Creates an action on an issue, or else on a case. */
export const create: Handler = (call) => {
  const { issue, case: caseRecord } = call.body
  if (!isSet(issue) && !isSet(caseRecord))
    throw fieldProblem({ issue: ['Choose the issue or case it was for'] })
  return createRecord(call, call.contract.entities.action)
}

/** The caller's last action, from which a new one takes its defaults; empty if there is none. */
export const last: Handler = (call) => lastCreatedBy(call, call.contract.entities.action)

/** Days whose actions are counted for the most used types, and the maximum number of these. */
const RECENT_DAYS = 90
const MAX_TYPES = 6

/** The action types that the caller used most in the last RECENT_DAYS days. An index finds the caller's few rows. */
export const mostUsed: Handler = async ({ db, me }) => {
  const { rows } = await sql<{ type: number }>`select type from actions
    where created_by = ${me.id} and error_reason is null and done_on >= current_date - ${RECENT_DAYS}::int
    group by type order by count(*) desc, max(id) desc limit ${MAX_TYPES}`.execute(db)
  return { types: rows.map(({ type }) => type) }
}
