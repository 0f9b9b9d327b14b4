import { sql } from 'kysely'
import { today } from '../../core/today.ts'
import type { JobContext } from './runJobs.ts'

interface Partition {
  name: string
  /** Upper bound of its events, exclusive. */
  until: string
}

/**
 * Drops the partitions of the audit that can only have events older than AUDIT_YEARS, once a day; without the setting
 * the audit is never deleted. Each drop is logged, because it leaves no other trace.
 */
export async function dropAuditYears(
  { db, settings, log, lastOk }: JobContext,
  now = new Date(),
): Promise<void> {
  const { AUDIT_YEARS, TIME_ZONE } = settings
  if (AUDIT_YEARS === 0) return
  if (lastOk && today(TIME_ZONE, lastOk) === today(TIME_ZONE, now)) return
  const { rows } = await sql<Partition>`select name, until::text from audit_partitions()
    where until <= ${now}::timestamptz - make_interval(years => ${AUDIT_YEARS}) order by until`.execute(db)
  for (const { name, until } of rows) {
    // Another server may have dropped it meanwhile.
    await sql`drop table if exists ${sql.table(name)}`.execute(db)
    log.warn({ partition: name, until }, 'a partition of the audit was dropped: it is older than AUDIT_YEARS')
  }
}
