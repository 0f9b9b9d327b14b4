import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Client } from 'pg'
import { afterEach, beforeEach } from 'vitest'
import { migrate, refusePending } from '../../src/server/ops/migrate/migrate.ts'
import { temporaryFolder } from '../temporaryFolder.ts'
import { emptyDatabase } from './database.ts'

/** For each test an empty database, and empty folders of migrations and views. */
export function useMigrationFolders() {
  let database: Awaited<ReturnType<typeof emptyDatabase>>
  let folder: string
  let client: Client
  const said: string[] = []
  const report = (words: string) => void said.push(words)
  const folders = () => ({ migrations: join(folder, 'migrations'), views: join(folder, 'views') })
  beforeEach(async () => {
    folder = temporaryFolder('advocacy-migrate-')
    for (const path of Object.values(folders())) mkdirSync(path)
    database = await emptyDatabase()
    client = new Client({ connectionString: database.url })
    client.on('error', () => undefined) // its database is dropped with force
    await client.connect()
    said.length = 0
  })
  afterEach(async () => {
    await client.end()
    await database.drop()
    rmSync(folder, { recursive: true })
  })
  return {
    url: () => database.url,
    /** A path of a file of migrations. */
    pathOf: (name: string) => join(folders().migrations, name),
    viewPathOf: (name: string) => join(folders().views, name),
    /** What the migrations said on the console. */
    said,
    write: (name: string, sql: string, kind = 'expand') =>
      writeFileSync(join(folders().migrations, name), `-- kind: ${kind}\n${sql}`),
    writeView: (name: string, sql: string) => writeFileSync(join(folders().views, `${name}.sql`), sql),
    remove: (name: string) => rmSync(join(folders().migrations, name)),
    removeView: (name: string) => rmSync(join(folders().views, `${name}.sql`)),
    /** Migrates the database by the files that the test has written. */
    migrateAll: (patience?: number) => migrate(database.url, { folders: folders(), patience, report }),
    refuse: () => refusePending(database.url, { folders: folders(), report }),
    query: (sql: string, values?: unknown[]) => client.query(sql, values),
    rowsOf: async (sql: string): Promise<Record<string, unknown>[]> => (await client.query(sql)).rows,
  }
}
