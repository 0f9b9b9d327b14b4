import { sql } from 'kysely'
import type { Handler } from '../../core/call.ts'
import { newestInvalid } from '../../records/query/newestInvalid.ts'
import { COUNT_LIMIT } from '../../records/verbs/pageQuery.ts'

/** Maximum number of issue ids in the reply, the newest; with them the browser finds those that are new to its user. */
const MAX_ISSUES = 500

interface InvalidIssue {
  issue_id: number
  case_id: number
  found: number
}

/** The number of visible issues with missing or invalid fields, as their list counts them, and the newest of these. */
export const notification: Handler = async ({ db, me }) => {
  const { rows } = await sql<InvalidIssue>`with found as materialized (${newestInvalid(me, COUNT_LIMIT)})
    select id as issue_id, "case" as case_id, (select count(*) from found) as found
    from found order by id desc limit ${MAX_ISSUES}`.execute(db)
  return {
    invalid_cases: rows[0]?.found ?? 0,
    issues: rows.map(({ issue_id, case_id }) => ({ issue_id, case_id })),
  }
}
