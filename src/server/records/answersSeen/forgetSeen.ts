import { sql } from 'kysely'
import type { Db } from '../../core/db.ts'

/**
 * Removes from the cases and issues of some clients what was read from a last record that is gone, or that is another
 * client's since a merge was undone. The next save reads it again.
 */
export async function forgetForeignSeen(db: Db, clients: number[]): Promise<void> {
  for (const [table, remains] of [
    ['cases', sql`(select m."case" from merges m where m.entity = 'case' and m.old = l.id::int)`],
    ['issues', sql`null`],
  ] as const) {
    const isForeign = sql`starts_with(s.key, '$last.') and s.value ->> 'record' is not null and exists (
      select from jsonb_array_elements_text(jsonb_build_array(s.value -> 'record') || coalesce(s.value -> 'through', '[]')) l(id)
      where not exists (select from ${sql.table(table)} p where p.id in (l.id::int, ${remains}) and p.client = r.client))`
    await sql`update ${sql.table(table)} r set answers_seen = r.answers_seen - array(
        select s.key from jsonb_each(r.answers_seen) s where ${isForeign})
      where r.client = any(${clients}::int[]) and r.answers_seen <> '{}'
        and exists (select from jsonb_each(r.answers_seen) s where ${isForeign})`.execute(db)
  }
}
