import { sql } from 'kysely'
import { today } from '../../core/today.ts'
import type { JobContext } from './runJobs.ts'

interface Partition {
  name: string
  /** Upper bound of its events, exclusive. */
  until: Date
}

/**
 * Drops the partitions of the audit that can only have events older than AUDIT_YEARS, once a day; without the setting
 * the audit is never deleted.
 */
export async function dropAuditYears(
  { db, settings, log, lastOk }: JobContext,
  now = new Date(),
): Promise<void> {
  const { AUDIT_YEARS, TIME_ZONE } = settings
  if (AUDIT_YEARS === 0) return
  if (lastOk && today(TIME_ZONE, lastOk) === today(TIME_ZONE, now)) return
  const { rows } = await sql<Partition>`select name, until from drop_audit_years(${AUDIT_YEARS})`.execute(db)
  for (const { name, until } of rows)
    log.warn({ partition: name, until }, 'a partition of the audit was dropped: it is older than AUDIT_YEARS')
}
