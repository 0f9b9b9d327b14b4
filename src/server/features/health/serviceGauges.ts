import { statfs } from 'node:fs/promises'
import { sql } from 'kysely'
import type * as Prometheus from 'prom-client'
import type { Database, Db } from '../../core/db.ts'
import { productVersion } from '../../core/productVersion.ts'
import type { Settings } from '../../core/settings.ts'
import { replicaLag } from '../../core/standby.ts'
import { MAX_MAIL_ATTEMPTS } from '../../records/workNotices/queueMails.ts'

interface ServiceDeps {
  settings: Settings
  standby?: Database
}
interface ServiceRow {
  schema: string
  database_bytes: number
  audit_other_rows: number
  audit_unsent_events: number
  oldest_audit_event_seconds: number
  locked_accounts: number
  unsent_mails: number
  given_up_mails: number
  oldest_mail_seconds: number
}

/** Maximum number that is counted of audit rows that should be few. */
const MAX_COUNTED = 10_000

/**
 * Registers the gauges of the service as a whole and returns a function that reads them before each scrape. While the
 * database does not answer they keep their last values, and `casework_database_up` is 0.
 */
export function serviceGauges(
  { Gauge }: typeof Prometheus,
  registers: Prometheus.Registry[],
  { settings, standby }: ServiceDeps,
): (db: Db) => Promise<void> {
  const gauge = (name: string, help: string, labelNames: string[] = []) =>
    new Gauge({ name: `casework_${name}`, help, labelNames, registers })
  const up = gauge('database_up', '1 if the database answered the scrape, otherwise 0')
  const build = gauge('build_info', 'Always 1; its labels are the release and the last migration', [
    'version',
    'schema',
  ])
  const databaseBytes = gauge('database_bytes', 'Size of the database')
  const auditOther = gauge('audit_other_rows', 'Rows of the audit that have no partition of their year')
  const unsent = gauge(
    'audit_unsent_events',
    'Events of the audit that AUDIT_URL has not got yet, counted up to 10,000',
  )
  const oldestEvent = gauge(
    'oldest_unsent_audit_event_seconds',
    'For how long the oldest of them waits; 0 if none does',
  )
  const locked = gauge('locked_accounts', 'Accounts and addresses that are locked after wrong passwords')
  const mails = gauge('unsent_mails', 'Mails of notices that wait, or were given up after all attempts', [
    'state',
  ])
  const oldestMail = gauge('oldest_unsent_mail_seconds', 'For how long the oldest mail waits; 0 if none does')
  const readDisk = settings.DATABASE_URL ? undefined : diskGauges(gauge, settings.DATA_DIR)
  const lag =
    standby && gauge('standby_lag_seconds', 'How far the standby is behind; +Inf if it does not answer')

  return async (db) => {
    const row = await readService(db).catch(() => undefined)
    up.set(row ? 1 : 0)
    if (row) {
      build.reset()
      build.set({ version: productVersion(), schema: row.schema }, 1)
      databaseBytes.set(row.database_bytes)
      auditOther.set(row.audit_other_rows)
      unsent.set(row.audit_unsent_events)
      oldestEvent.set(row.oldest_audit_event_seconds)
      locked.set(row.locked_accounts)
      mails.set({ state: 'waiting' }, row.unsent_mails)
      mails.set({ state: 'given up' }, row.given_up_mails)
      oldestMail.set(row.oldest_mail_seconds)
    }
    lag?.set(await replicaLag(standby!.db).catch(() => Number.POSITIVE_INFINITY))
    await readDisk?.()
  }
}

async function readService(db: Db): Promise<ServiceRow> {
  const { rows } = await sql<ServiceRow>`select (select max(name) from migration) as schema,
      pg_database_size(current_database())::float as database_bytes,
      (select count(*)::int from (select from audit_other limit ${MAX_COUNTED}) o) as audit_other_rows,
      (select count(*)::int from (select from audit_outbox limit ${MAX_COUNTED}) o) as audit_unsent_events,
      (select coalesce(extract(epoch from now() - min(at)), 0)::float from (select at from audit_outbox order by event limit 1) o)
        as oldest_audit_event_seconds,
      (select count(*)::int from access_attempt where locked_until > now()) as locked_accounts,
      mails.* from (select count(*) filter (where attempts < ${MAX_MAIL_ATTEMPTS})::int as unsent_mails,
        count(*) filter (where attempts >= ${MAX_MAIL_ATTEMPTS})::int as given_up_mails,
        coalesce(extract(epoch from now() - min(created_at) filter (where attempts < ${MAX_MAIL_ATTEMPTS})), 0)::float
          as oldest_mail_seconds
        from mail_outbox) mails`.execute(db)
  return rows[0]
}

/** The disk of the embedded database; of another database, its own server watches the disk. */
function diskGauges(
  gauge: (name: string, help: string) => Prometheus.Gauge,
  folder: string,
): () => Promise<void> {
  const free = gauge('disk_free_bytes', 'Free space on the disk of DATA_DIR')
  const size = gauge('disk_bytes', 'Size of the disk of DATA_DIR')
  return async () => {
    const disk = await statfs(folder).catch(() => undefined)
    if (!disk) return
    free.set(disk.bavail * disk.bsize)
    size.set(disk.blocks * disk.bsize)
  }
}
