import type * as Prometheus from 'prom-client'
import type { Db } from '../../core/db.ts'
import { type BackupState, backupState } from './backupState.ts'

/**
 * Registers the gauges of backups and returns a function that reads them before each scrape. Their series never vanish:
 * without a backup the age is +Inf, so that an alarm fires, and while the database does not answer the age of the last
 * known backup keeps growing.
 */
export function backupGauges(
  { Gauge }: typeof Prometheus,
  registers: Prometheus.Registry[],
): (db: Db) => Promise<void> {
  const gauge = (name: string, help: string) => {
    const made = new Gauge({ name: `casework_backup_${name}`, help, registers })
    made.set(Number.NaN)
    return made
  }
  const age = gauge('age_seconds', 'Age of the last complete backup; +Inf if there is none')
  const made = gauge('last_success_timestamp_seconds', 'Time of the last complete backup; 0 if there is none')
  const verified = gauge('last_verified_timestamp_seconds', 'When a backup was last verified; 0 if never')
  let known: { state: BackupState; at: number } | undefined
  return async (db) => {
    const state = await backupState(db).catch(() => undefined)
    if (state) known = { state, at: Date.now() }
    if (!known) return
    const secondsAgo = (seconds: number | null) =>
      seconds === null ? undefined : seconds + (Date.now() - known!.at) / 1000
    const timeOf = (seconds: number | null) => (seconds === null ? 0 : known!.at / 1000 - seconds)
    age.set(secondsAgo(known.state.age) ?? Number.POSITIVE_INFINITY)
    made.set(timeOf(known.state.age))
    verified.set(timeOf(known.state.verified_age))
  }
}
