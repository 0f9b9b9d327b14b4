import { join } from 'node:path'
import { Client } from 'pg'
import { startPostgres } from '../postgres/start.ts'
import { migrateOrRefuse } from './migrateOrRefuse.ts'
import { settingsOrRefuse } from './settingsOrRefuse.ts'
import { StartProblem } from './startProblem.ts'

/** Brings the database of DATA_DIR or DATABASE_URL up to date, before servers with MIGRATE=0 start on it. */
async function main(): Promise<void> {
  const settings = settingsOrRefuse()
  const server = settings.DATABASE_URL ? undefined : await startPostgres(join(settings.DATA_DIR, 'postgres'))
  try {
    const url = server?.url ?? settings.DATABASE_URL
    const applied = await migrateOrRefuse(url)
    await addAuditYears(url)
    console.log(applied.length > 0 ? `Applied ${applied.join(', ')}.` : 'The database is up to date.')
  } finally {
    await server?.stop()
  }
}

/** Makes the partitions of the audit of this year and the next, which servers with MIGRATE=0 cannot. */
async function addAuditYears(url: string): Promise<void> {
  const client = new Client({ connectionString: url })
  await client.connect()
  try {
    await client.query('select add_audit_years()')
  } finally {
    await client.end()
  }
}

main().catch((error) => {
  console.error(error instanceof StartProblem ? error.message : error)
  process.exit(1)
})
