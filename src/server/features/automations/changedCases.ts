import { sql } from 'kysely'
import type { Call } from '../../core/call.ts'
import type { Db, Sql } from '../../core/db.ts'
import { today } from '../../core/today.ts'
import { type CaseToEvaluate, evaluateCases } from './evaluateCases.ts'

/** Most cases that a call evaluates itself; a job evaluates the others of an upload or of a client. */
const MAX_IN_CALL = 200

/** Evaluates the cases that the transaction of a call has changed, before it commits. */
export async function evaluateChanged({ db, contract, settings, me }: Call): Promise<void> {
  const own = sql`transaction = pg_current_xact_id_if_assigned()`
  const cases = await takeChanged(db, own, MAX_IN_CALL)
  if (cases.length > 0)
    await evaluateCases({ db, contract, today: today(settings.TIME_ZONE), by: me.id }, cases)
}

/**
 * Takes the noted changes that meet a condition, at most those of `limit` cases, and locks their clients in the
 * order of their ids, as the refresh of access rows does, so that neither can deadlock with the other. Changes of a case
 * that is gone are taken too.
 */
export async function takeChanged(db: Db, where: Sql, limit: number): Promise<CaseToEvaluate[]> {
  const { rows } = await sql<CaseToEvaluate>`with due as (
      select id from automation_changes where ${where} order by id limit ${limit} for update skip locked
    ), taken as (
      delete from automation_changes where id in (select id from due) returning "case", fires
    )
    select k.id, k.id in (select "case" from taken where fires) as fires from cases k join clients c on c.id = k.client
    where k.id in (select "case" from taken) order by c.id, k.id for no key update of c`.execute(db)
  return rows
}
