import { sql } from 'kysely'
import type { Db } from '../../core/db.ts'
import { type Answers, LEAVE_ROWS_OUT } from './questions.ts'

/** Leaves out the rows that a person does not want to check, and includes the others of these kinds again. */
export async function leaveRowsOut(db: Db, upload: number, answers: Answers): Promise<void> {
  const isLeftOut = sql`(hidden and ${answers.hidden === LEAVE_ROWS_OUT}
    or uploaded_before and ${answers.before === LEAVE_ROWS_OUT})`
  // A row that was skipped by a decision of its own stays so.
  await sql`update bulk_rows set state = case when ${isLeftOut} then 'skipped' else 'waiting' end, errors = '[]'
    where upload = ${upload} and (hidden or uploaded_before)
      and (state in ('waiting', 'wrong', 'duplicate', 'ready') or state = 'skipped' and decision is null)`.execute(
    db,
  )
}
