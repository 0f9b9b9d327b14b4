import { sql } from 'kysely'
import type { Db } from '../../core/db.ts'

/** Row of the table setting with the day up to which automations know which deadlines are soon or late. */
const SEEN = 'deadlines_seen_on'

/**
 * Notes the cases in which a deadline became soon, late or over by the days that have begun since the last time, if an
 * automation of their case type looks at deadlines. Of several servers one does it, in one transaction. Returns how
 * many cases.
 */
export async function turnDeadlines(db: Db, today: string): Promise<number> {
  return db.transaction().execute(async (tx) => {
    // At the first time, all states are of today.
    await sql`insert into setting (name, value) values (${SEEN}, to_jsonb(${today}::text)) on conflict do nothing`.execute(
      tx,
    )
    const { rows } = await sql<{ seen: string }>`select value #>> '{}' as seen from setting
      where name = ${SEEN} and value #>> '{}' < ${today} for update skip locked`.execute(tx)
    if (!rows[0]) return 0
    const since = sql`${rows[0].seen}::date`
    const { numAffectedRows } = await sql`insert into automation_changes ("case")
      select distinct d."case" from deadlines d join case_types t on t.id = d.case_type
      where d.is_open and t.automations::text like '%"deadline.%' and (
        d.warn_from > ${since} and d.warn_from <= ${today}::date
        or d.due >= ${since} and d.due < ${today}::date
        or d.ends_on >= ${since} and d.ends_on < ${today}::date)`.execute(tx)
    await sql`update setting set value = to_jsonb(${today}::text) where name = ${SEEN}`.execute(tx)
    return Number(numAffectedRows ?? 0)
  })
}
