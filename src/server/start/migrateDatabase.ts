import type { Settings } from '../settings.ts'
import { migrateOrRefuse } from './migrateOrRefuse.ts'
import { withClient } from './withClient.ts'
import { withDatabase } from './withDatabase.ts'

/**
 * Brings the database of DATA_DIR or DATABASE_URL up to date, before servers with MIGRATE=0 start on it, and makes the
 * partitions of the audit of this year and the next, which they cannot. Answers the migrations that it applied.
 */
export function migrateDatabase(settings: Settings): Promise<string[]> {
  return withDatabase(settings, async (url) => {
    const applied = await migrateOrRefuse(url)
    await withClient(url, 'migrate', (client) => client.query('select add_audit_years()'))
    return applied
  })
}
