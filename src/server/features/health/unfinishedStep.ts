import { sql } from 'kysely'
import type { Db } from '../../core/db.ts'

interface UnfinishedStep {
  /** Such as "031_search_keys, step 2: 45 % of clients". */
  migration: string | null
  migration_at: Date | null
}

/** The migration step that has begun and not ended, and when it last came forward. */
export async function unfinishedStep(db: Db): Promise<UnfinishedStep> {
  const { rows } = await sql<UnfinishedStep>`select updated_at as migration_at,
      migration || ', step ' || step || case
        when rows_total > 0 then format(': %s %% of %s', 100 * rows_done / rows_total, table_name)
        when runs = 'concurrently' then ': an index is being built'
        else '' end as migration
    from migration_step where finished_at is null order by begun_at desc limit 1`.execute(db)
  return rows[0] ?? { migration: null, migration_at: null }
}
