import type { FastifyBaseLogger } from 'fastify'
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
  log: Pick<FastifyBaseLogger, 'warn'>
  settings: Pick<Settings, 'TIME_ZONE' | 'BANK_HOLIDAYS'>
  /** Ends the work after the current batch; the next run continues there. */
  ending?: AbortSignal
}

/** Number of changes that are evaluated in one transaction, which is repeated after a crash. */
const BATCH = 100

/**
 * Evaluates the cases whose changes were not evaluated in their own transaction: those of publications and jobs, and
 * those beyond the maximum of a call. Several servers share the work. Returns the number of changes.
 */
export async function evaluateLeft({ db, ending, ...context }: Context): Promise<number> {
  for (let all = 0; ; ) {
    const taken = ending?.aborted
      ? 0
      : await db.transaction().execute((tx) => evaluateBatch({ db: tx, ...context }))
    if (taken === 0) return all
    all += taken
  }
}

async function evaluateBatch({ db, contract, log, settings }: Context): Promise<number> {
  const { rows } = await sql<{ id: number }>`select id from automation_changes order by id limit ${BATCH}
    for update skip locked`.execute(db)
  const ids = rows.map(({ id }) => id)
  const changed = await takeChanged(
    db,
    sql`select id, "case" from automation_changes where id = any(${ids}::bigint[])`,
    settings.BANK_HOLIDAYS,
  )
  await evaluateCases({ db, contract, log, today: today(settings.TIME_ZONE), by: null }, changed)
  return ids.length
}

/**
 * Notes all cases of a case type for evaluation, in the transaction of its publication, whose events share notices.
 * `fires` has the names of the automations that notify and plan steps for these cases; true: all.
 */
export async function noteCaseType(db: Db, caseType: number, fires: true | string[]): Promise<void> {
  const names = fires === true ? null : fires
  await sql`insert into automation_changes ("case", fires, automations, batch)
    select k.id, ${names === null || names.length > 0}, ${names}::text[], 'version ' || t.version from cases k join case_types t on t.id = k.case_type
    where k.case_type = ${caseType}`.execute(db)
}
