import { sql } from 'kysely'
import type { Handler } from '../call.ts'
import { visibleTo } from '../scope.ts'
import { COUNTED } from '../verbs/pageQuery.ts'

/** The newest issues that a browser is told of by their ids, to know which of them are new to its person. */
const MOST = 500

interface InvalidIssue {
  issue_id: number
  case_id: number
  found: number
}

/** How many issues this person may see that have fields missing or wrong, as their list counts them, and which. */
export const notification: Handler = async ({ db, me }) => {
  const { rows } = await sql<InvalidIssue>`with found as materialized (
      select r.id, r."case" from invalid_rows r where ${visibleTo('issue', me, 'r')}
    )
    select id as issue_id, "case" as case_id, (select count(*) from found) as found
    from found order by id desc limit ${MOST}`.execute(db)
  return {
    invalid_cases: Math.min(rows[0]?.found ?? 0, COUNTED),
    issues: rows.map(({ issue_id, case_id }) => ({ issue_id, case_id })),
  }
}
