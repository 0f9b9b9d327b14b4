import { sql } from 'kysely'
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

/** Days and how many types are looked at for those used most. */
const LATE_DAYS = 90
const MOST_TYPES = 6

/** The types that the caller used most in the last 90 days; of one person these are few rows of an index. */
export const mostUsed: Handler = async ({ db, me }) => {
  const { rows } = await sql<{ type: number }>`select type from actions
    where created_by = ${me.id} and done_on >= current_date - ${LATE_DAYS}::int
    group by type order by count(*) desc, max(id) desc limit ${MOST_TYPES}`.execute(db)
  return { types: rows.map(({ type }) => type) }
}
