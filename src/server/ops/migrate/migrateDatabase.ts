import { openDatabase } from '../../core/db.ts'
import type { Settings } from '../../core/settings.ts'
import { isBusy } from '../../core/sqlProblem.ts'
import { StartProblem } from '../../core/startProblem.ts'
import { withDatabase } from '../command/withDatabase.ts'
import { addAuditYears } from '../jobs/addAuditYears.ts'
import { migrateOrRefuse } from './migrateOrRefuse.ts'

/**
 * Migrates the database of DATA_DIR or DATABASE_URL, for servers with MIGRATE=0, and creates the audit partitions of
 * this year and the next, which those servers cannot. Returns the names of the applied migrations.
 */
export function migrateDatabase(settings: Settings): Promise<string[]> {
  return withDatabase(settings, 'shared', async (url) => {
    const applied = await migrateOrRefuse(url, { patience: settings.MIGRATE_PATIENCE })
    await partitionOrRefuse(url)
    return applied
  })
}

async function partitionOrRefuse(url: string): Promise<void> {
  const { slow, close } = openDatabase(url)
  try {
    await addAuditYears(slow)
  } catch (error) {
    throw new StartProblem(
      `The migrations are applied, but the next partition of the audit is missing: ${reasonOf(error)} ` +
        'Nothing is lost: events of a year without a partition are kept in the table audit_other.',
    )
  } finally {
    await close()
  }
}

/** Why the audit could not be partitioned, with what to do. */
function reasonOf(error: unknown): string {
  const { code, message } = error as { code?: string; message: string }
  if (isBusy(error)) return 'others use it all the time. Run this again when less is going on.'
  if (code === INSUFFICIENT_PRIVILEGE) return 'run this with the role that owns the tables.'
  return `${message}. Mend this, then run this again.`
}

const INSUFFICIENT_PRIVILEGE = '42501'
