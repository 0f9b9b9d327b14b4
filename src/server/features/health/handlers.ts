import { statfs } from 'node:fs/promises'
import { sql } from 'kysely'
import { pluralise } from '../../../contract/pluralise.ts'
import { mailOutcomes } from '../../access/mail.ts'
import type { Handler } from '../../core/call.ts'
import type { Db } from '../../core/db.ts'
import { productVersion } from '../../core/productVersion.ts'
import type { Settings } from '../../core/settings.ts'
import { storageAddress } from '../../core/storageAddress.ts'
import { auditPartitionedUntil, auditPartitions } from '../../records/audit/auditPartitions.ts'
import { indexingProgress } from '../caseTypes/answerIndexWork.ts'
import { ageInWords, type BackupState, backupState, LATE_S } from './backupState.ts'
import { unreadableSecrets } from './unreadableSecrets.ts'

interface DatabaseFacts {
  schema_version: string
  database_version: string
  database_size: string
  servers: number
}

/**
 * The state of the service. Mail and connections are those of the responding server.
 */
export const read: Handler = async ({ db, request, settings }) => {
  const { rows } = await sql<DatabaseFacts>`select
      (select max(name) from migration) as schema_version,
      current_setting('server_version') as database_version,
      pg_size_pretty(pg_database_size(current_database())) as database_size,
      (select count(distinct application_name)::int from pg_stat_activity
        where datname = current_database() and application_name like 'casework %') as servers`.execute(db)
  const audit = auditPartitions(await auditPartitionedUntil(db))
  return {
    ...rows[0],
    ...(await unfinishedStep(db)),
    ...backupFacts(await backupState(db), settings),
    audit_partitions: audit.words,
    audit_is_missing: audit.isMissing,
    ...(await auditFacts(db, settings)),
    indexing: await indexingProgress(db),
    version: productVersion(),
    started_at: new Date(performance.timeOrigin).toISOString(),
    connections: request.server.connections().map(describePool).join('; '),
    files: filesIn(settings.FILES_URL),
    unreadable_secrets: secretsInWords(await unreadableSecrets(db, settings)),
    step_up_is_off: settings.STEP_UP !== 1 && settings.PUBLIC_URL.startsWith('https://'),
    mails_leave: Boolean(settings.SMTP_URL),
    mail: settings.SMTP_URL ? 'A mail server' : 'Nobody: emails are written to a folder',
    mail_sent_at: mailOutcomes.sentAt ?? null,
    mail_failed_at: mailOutcomes.failedAt ?? null,
    mail_error: mailOutcomes.error ?? null,
    disk: settings.DATABASE_URL ? null : await diskSpaceOf(settings.DATA_DIR),
  }
}

/** What cannot be decrypted, in words; null if everything can. */
function secretsInWords({ authenticators, signOns }: { authenticators: number; signOns: number }) {
  const words = [
    ...(authenticators > 0 ? [pluralise(authenticators, 'authenticator app')] : []),
    ...(signOns > 0 ? [pluralise(signOns, 'sign-on')] : []),
  ]
  return words.length > 0 ? words.join(' and ') : null
}

/** Maximum number of unsent audit events that are counted. */
const MAX_UNSENT = 10_000

interface AuditRow {
  may_change: boolean
  removals: number
  removed_events: number
  last_removal: Date | null
  unsent: number
  error: string | null
}

/** Who may change the audit, what was removed from it, and how much AUDIT_URL has not got yet. */
async function auditFacts(db: Db, { AUDIT_URL }: Settings) {
  const { rows } = await sql<AuditRow>`select has_table_privilege('audit', 'delete') as may_change,
      r.*, (select count(*)::int from (select from audit_outbox limit ${MAX_UNSENT}) o) as unsent, (select last_error from audit_stream) as error
    from (select count(*)::int as removals, coalesce(sum(events), 0)::float as removed_events,
      max(at) as last_removal from audit_removals) r`.execute(db)
  const { may_change, removals, removed_events, last_removal, unsent, error } = rows[0]
  return {
    audit_rights: may_change
      ? 'The server owns the tables, so it could change events: a second role of the database prevents that'
      : 'The server can only add and read events',
    audit_removals: `${pluralise(removals, 'removal')} of ${pluralise(removed_events, 'event')} by purges and periods`,
    audit_removed_at: last_removal,
    audit_stream: AUDIT_URL
      ? `To ${new URL(AUDIT_URL).host}, ${pluralise(unsent, 'event')}${unsent === MAX_UNSENT ? ' or more' : ''} still to be sent`
      : 'To nobody: AUDIT_URL is not set',
    audit_stream_error: error,
  }
}

/** The backups in words; they are a problem only where BACKUP_DIR says that there should be some. */
function backupFacts(state: BackupState, { BACKUP_DIR, BACKUP_AT, BACKUP_RECIPIENT }: Settings) {
  const { last_backup, age, last_verified, verified_age, failed, progress } = state
  const when = BACKUP_AT ? `Every day at ${BACKUP_AT}` : 'By npm run backup'
  return {
    last_backup,
    backup_age: age === null ? null : ageInWords(age),
    backup_is_late: BACKUP_DIR !== '' && age !== null && age > LATE_S,
    backup_failed: failed,
    backup_progress: progress,
    last_verified,
    verified_age: verified_age === null ? 'Never' : ageInWords(verified_age),
    backups: BACKUP_DIR
      ? `${when} into ${BACKUP_DIR}, ${BACKUP_RECIPIENT ? 'encrypted' : 'not encrypted'}`
      : null,
  }
}

function filesIn(url: string): string {
  return url ? `In the object storage ${storageAddress(url)?.place}` : 'In the database'
}

function describePool({
  pool,
  total,
  idle,
  waiting,
}: {
  pool: string
  total: number
  idle: number
  waiting: number
}) {
  return `${pool}: ${total - idle} of ${total} in use, ${waiting} waiting`
}

/** Free and total space on the disk of a folder; null if the system does not report it. */
async function diskSpaceOf(folder: string): Promise<string | null> {
  const disk = await statfs(folder).catch(() => undefined)
  if (!disk) return null
  const gigabytes = (blocks: number) => `${((blocks * disk.bsize) / 1024 ** 3).toFixed(1)} GB`
  return `${gigabytes(disk.bavail)} free of ${gigabytes(disk.blocks)}`
}

interface UnfinishedStep {
  /** Such as "031_search_keys, step 2: 45 % of clients". */
  migration: string | null
  migration_at: Date | null
}

/** The migration step that has begun and not ended, and when it last came forward. */
async function unfinishedStep(db: Db): Promise<UnfinishedStep> {
  const { rows } = await sql<UnfinishedStep>`select updated_at as migration_at,
      migration || ', step ' || step || case
        when rows_total > 0 then format(': %s %% of %s', 100 * rows_done / rows_total, table_name)
        when runs = 'concurrently' then ': an index is being built'
        else '' end as migration
    from migration_step where finished_at is null order by begun_at desc limit 1`.execute(db)
  return rows[0] ?? { migration: null, migration_at: null }
}
