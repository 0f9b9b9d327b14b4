import { sql } from 'kysely'
import type { DeadlineNames } from '../../../contract/deadlines/checkDeadlines.ts'
import type { Call } from '../../core/call.ts'

/** What deadlines may refer to here: columns of records, and all types of actions. */
export async function deadlineNames({ db, contract }: Call): Promise<DeadlineNames> {
  const { rows } = await sql<{ value: number }>`select value from lookup where kind = 'action_type'`.execute(
    db,
  )
  return { entities: contract.entities, actionTypes: new Set(rows.map(({ value }) => value)) }
}
