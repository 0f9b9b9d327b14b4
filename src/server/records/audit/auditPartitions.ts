import { sql } from 'kysely'
import type { Db } from '../../core/db.ts'

const DAY_MS = 86_400_000
/** Days before the end of the last partition of the audit from which a warning shows that the next one is missing. */
const WARNING_DAYS = 60

/** The end of the last partition of the audit; its years are those of UTC. */
export async function auditPartitionedUntil(db: Db): Promise<Date> {
  const { rows } = await sql<{ until: Date }>`select audit_partitioned_until() as until`.execute(db)
  return rows[0].until
}

/** Days until the last partition of the audit ends, negative after it. */
export function daysUntil(end: Date, now = new Date()): number {
  return (end.getTime() - now.getTime()) / DAY_MS
}

/** The state of the partitions of the audit in words, and whether the next one is missing. */
export function auditPartitions(until: Date, now = new Date()): { words: string; isMissing: boolean } {
  const year = until.getUTCFullYear()
  const isMissing = daysUntil(until, now) <= WARNING_DAYS
  return {
    words: isMissing ? `audit partition for ${year} missing` : `until the end of ${year - 1}`,
    isMissing,
  }
}
