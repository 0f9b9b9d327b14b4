import { sql } from 'kysely'
import type { Db, Sql } from '../../core/db.ts'
import type { CaseToEvaluate } from './evaluateCases.ts'

/**
 * Takes the noted changes that meet a condition, at most `limit`, and locks the clients of their cases in the order of
 * their ids, as the refresh of access rows does, so that neither can deadlock with the other. A case that is gone counts
 * for `taken`, but is not among the cases.
 */
export async function takeChanged(
  db: Db,
  where: Sql,
  limit: number,
): Promise<{ cases: CaseToEvaluate[]; taken: number }> {
  const { rows } = await sql<CaseToEvaluate & { taken: number }>`with due as (
      select id from automation_changes where ${where} order by id limit ${limit} for update skip locked
    ), taken as (
      delete from automation_changes where id in (select id from due) returning "case", fires
    ), changed as (
      select "case", bool_or(fires) as fires, sum(count(*)) over () as taken from taken group by "case"
    )
    select k.id, changed.fires, changed.taken::int as taken from changed join cases k on k.id = changed."case"
    join clients c on c.id = k.client order by c.id, k.id for no key update of c`.execute(db)
  return { cases: rows.map(({ id, fires }) => ({ id, fires })), taken: rows[0]?.taken ?? 0 }
}
