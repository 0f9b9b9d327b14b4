import { statfs } from 'node:fs/promises'
import { sql } from 'kysely'
import type { Handler } from '../call.ts'
import { storageAddress } from '../files/storageAddress.ts'
import { unfinishedStep } from '../migrate/unfinishedStep.ts'
import { mailOutcomes } from '../signIn/mail.ts'
import { productVersion } from '../start/productVersion.ts'

interface DatabaseFacts {
  schema_version: string
  database_version: string
  database_size: string
  last_backup: Date | null
  servers: number
}

/**
 * The state of the service. A backup is a row of job_runs named 'backup', which `npm run export-data` or another backup
 * program inserts. Mail and connections are those of the responding server.
 */
export const read: Handler = async ({ db, request, settings }) => {
  const { rows } = await sql<DatabaseFacts>`select
      (select max(name) from migration) as schema_version,
      current_setting('server_version') as database_version,
      pg_size_pretty(pg_database_size(current_database())) as database_size,
      (select max(ended_at) from job_runs where name = 'backup' and ok) as last_backup,
      (select count(distinct application_name)::int from pg_stat_activity
        where datname = current_database() and application_name like 'casework %') as servers`.execute(db)
  return {
    ...rows[0],
    ...(await unfinishedStep(db)),
    version: productVersion(),
    started_at: new Date(performance.timeOrigin).toISOString(),
    connections: request.server.connections().map(describePool).join('; '),
    files: filesIn(settings.FILES_URL),
    mails_leave: Boolean(settings.SMTP_URL),
    mail: settings.SMTP_URL ? 'A mail server' : 'Nobody: mails are written to a folder',
    mail_sent_at: mailOutcomes.sentAt ?? null,
    mail_failed_at: mailOutcomes.failedAt ?? null,
    mail_error: mailOutcomes.error ?? null,
    disk: settings.DATABASE_URL ? null : await diskSpaceOf(settings.DATA_DIR),
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
