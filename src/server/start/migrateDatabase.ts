import { join } from 'node:path'
import { Client } from 'pg'
import { startPostgres } from '../postgres/start.ts'
import type { Settings } from '../settings.ts'
import { migrateOrRefuse } from './migrateOrRefuse.ts'

/**
 * Brings the database of DATA_DIR or DATABASE_URL up to date, before servers with MIGRATE=0 start on it, and makes the
 * partitions of the audit of this year and the next, which they cannot. Answers the migrations that it applied.
 */
export async function migrateDatabase(settings: Settings): Promise<string[]> {
  const server = settings.DATABASE_URL ? undefined : await startPostgres(join(settings.DATA_DIR, 'postgres'))
  try {
    const url = server?.url ?? settings.DATABASE_URL
    const applied = await migrateOrRefuse(url)
    const client = new Client({ connectionString: url })
    await client.connect()
    try {
      await client.query('select add_audit_years()')
    } finally {
      await client.end()
    }
    return applied
  } finally {
    await server?.stop()
  }
}
