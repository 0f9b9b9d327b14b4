import { sql } from 'kysely'
import type { Db } from '../../core/db.ts'

/** Seconds after which a daily backup is late. */
export const LATE_S = 26 * 3600

export interface BackupState {
  last_backup: Date | null
  /** Seconds since the start of the last backup that was completed; null if there is none. */
  age: number | null
  last_verified: Date | null
  verified_age: number | null
  /** True if a later run than the last backup failed. */
  failed: boolean
  /** Of the backup that is running: percentage and table. */
  progress: string | null
}

/**
 * The last backup and verification by the runs named so in job_runs, which other backup programs insert too. A backup
 * is as old as its snapshot, so its age counts from its start.
 */
export async function backupState(db: Db): Promise<BackupState> {
  const { rows } = await sql<BackupState>`with last as (
      select max(ended_at) filter (where name = 'backup') as last_backup,
        max(started_at) filter (where name = 'backup') as backup_started,
        max(ended_at) filter (where name = 'verify backup') as last_verified
      from job_runs where ok and name in ('backup', 'verify backup'))
    select last_backup, extract(epoch from now() - backup_started)::float as age,
      last_verified, extract(epoch from now() - last_verified)::float as verified_age,
      exists (select from job_runs where name = 'backup' and not ok
        and started_at > coalesce(backup_started, '-infinity')) as failed,
      (select max(substr(application_name, length('backup run ') + 1)) from pg_stat_activity
        where datname = current_database() and application_name like 'backup run%') as progress
    from last`.execute(db)
  return rows[0]
}

/** A duration such as "5 hours", in the largest unit of which it has two or more. */
export function ageInWords(seconds: number): string {
  const units = [
    { name: 'day', seconds: 86_400 },
    { name: 'hour', seconds: 3600 },
    { name: 'minute', seconds: 60 },
  ]
  const unit = units.find((one) => seconds >= 2 * one.seconds) ?? units[2]
  const count = Math.max(0, Math.floor(seconds / unit.seconds))
  return `${count} ${unit.name}${count === 1 ? '' : 's'}`
}
