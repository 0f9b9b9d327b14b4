import { sql } from 'kysely'
import type { Contract } from '../../../contract/contract.ts'
import type { Db } from '../../core/db.ts'
import type { Settings } from '../../core/settings.ts'
import { today } from '../../core/today.ts'
import { evaluateCases } from './evaluateCases.ts'
import { takeChanged } from './takeChanged.ts'

interface Context {
  db: Db
  contract: Contract
  settings: Pick<Settings, 'TIME_ZONE'>
  /** Ends the work after the current batch; the next run continues there. */
  ending?: AbortSignal
}

/** Cases in a transaction, which is repeated after a crash. */
const BATCH = 100

/**
 * Evaluates the cases that were changed and not evaluated in their transaction: by a publication, by a job, by more than
 * a call evaluates itself. Several servers share the work. Returns how many cases.
 */
export async function evaluateLeft({ db, contract, settings, ending }: Context): Promise<number> {
  let evaluated = 0
  while (!ending?.aborted) {
    const done = await db.transaction().execute(async (tx) => {
      const { cases } = await takeChanged(tx, sql`true`, BATCH)
      if (cases.length > 0)
        await evaluateCases({ db: tx, contract, today: today(settings.TIME_ZONE), by: null }, cases)
      return cases.length
    })
    // A batch may be of cases that are gone only.
    if (done === 0 && !(await hasMore(db))) return evaluated
    evaluated += done
  }
  return evaluated
}

/** True if there are changes that no other server is evaluating. */
async function hasMore(db: Db): Promise<boolean> {
  const { rows } = await sql`select from automation_changes limit 1 for update skip locked`.execute(db)
  return rows.length > 0
}

/** Notes all cases of a case type for evaluation, in the transaction of its publication. */
export async function noteCaseType(db: Db, caseType: number, fires: boolean): Promise<void> {
  await sql`insert into automation_changes ("case", fires)
    select id, ${fires} from cases where case_type = ${caseType}`.execute(db)
}
