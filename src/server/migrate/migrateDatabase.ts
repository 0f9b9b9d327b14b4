import type { Settings } from '../settings.ts'
import { withClient } from '../start/withClient.ts'
import { withDatabase } from '../start/withDatabase.ts'
import { migrateOrRefuse } from './migrateOrRefuse.ts'

/**
 * Migrates the database of DATA_DIR or DATABASE_URL, for servers with MIGRATE=0, and creates the audit partitions of
 * this year and the next, which those servers cannot. Returns the names of the applied migrations.
 */
export function migrateDatabase(settings: Settings): Promise<string[]> {
  return withDatabase(settings, 'shared', async (url) => {
    const applied = await migrateOrRefuse(url, { patience: settings.MIGRATE_PATIENCE })
    await withClient(url, 'migrate', (client) => client.query('select add_audit_years()'))
    return applied
  })
}
