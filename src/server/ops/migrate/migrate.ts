import { join } from 'node:path'
import type { Client } from 'pg'
import { productVersion } from '../../core/productVersion.ts'
import { rootFolder } from '../../core/rootFolder.ts'
import { StartProblem } from '../../core/startProblem.ts'
import { withClient } from '../command/withClient.ts'
import { type Migration, readMigrations, readSqlFiles, type SqlFile } from './migrationFiles.ts'
import { withMigrationLock } from './migrationLock.ts'
import { createStateTables, newerMigrations, pendingMigrations, readState } from './migrationState.ts'
import { runStep } from './runStep.ts'
import { inShortTransaction, type MigrationContext } from './shortTransaction.ts'
import { buildViews, missingViews, staleViews } from './views.ts'

interface Folders {
  migrations: string
  views: string
}
interface Options {
  folders?: Folders
  /** Seconds for which a statement is retried while it does not get its locks. */
  patience?: number
  /** Receives sentences for the console: what it waits for, and how far it is. */
  report?: (words: string) => void
}
interface Source {
  migrations: Migration[]
  views: SqlFile[]
  /** Version of the app that they belong to. */
  release: string
}

/** Migrates a database to the state of the folders, and returns the names of the applied migrations. */
export async function migrate(
  url: string,
  { folders = sourceFolders(), patience = 600, report = () => {} }: Options = {},
): Promise<string[]> {
  const source = readSource(folders)
  return await withClient(url, 'migrate', async (client) => {
    await refuseEncoding(client)
    if (await isCurrent(client, source, report)) return []
    return await withMigrationLock(url, report, (lock) =>
      applyAll({ client, lock, patience, report }, source),
    )
  })
}

/**
 * Throws a StartProblem if a database lacks a migration or view of the folders; changes nothing. Views of a newer
 * release are accepted.
 */
export async function refusePending(
  url: string,
  { folders = sourceFolders(), report = () => {} }: Omit<Options, 'patience'> = {},
): Promise<void> {
  const source = readSource(folders)
  await withClient(url, 'migrate', async (client) => {
    const pending = await pendingOf(client, source, report)
    const views = await missingViews(client, source.views)
    const missing = [
      ...pending.map(({ migration }) => migration.name),
      ...views.map((name) => `the view ${name}`),
    ]
    if (missing.length > 0)
      throw new StartProblem(
        `The database lacks ${missing[0]}${missing.length > 1 ? ` and ${missing.length - 1} more` : ''}. Run ` +
          '`npm run migrate` with a role that owns its tables, or start with MIGRATE=1.',
      )
  })
}

function sourceFolders(): Folders {
  const server = join(rootFolder(), 'src/server/ops')
  return { migrations: join(server, 'migrations'), views: join(server, 'views') }
}

function readSource(folders: Folders): Source {
  return {
    migrations: readMigrations(folders.migrations),
    views: readSqlFiles(folders.views),
    release: productVersion(),
  }
}

/** Refuses other encodings than UTF-8: searches ignore accents, which PostgreSQL can remove only in UTF-8. */
async function refuseEncoding(client: Client): Promise<void> {
  const { rows } = await client.query<{ server_encoding: string }>('show server_encoding')
  const [{ server_encoding }] = rows
  if (server_encoding === 'UTF8') return
  throw new StartProblem(
    `The database is encoded as ${server_encoding}. Make another one with "encoding 'UTF8' template template0".`,
  )
}

/** True if there is nothing to do, for which no lock is needed. */
async function isCurrent(client: Client, source: Source, report: (words: string) => void): Promise<boolean> {
  if ((await pendingOf(client, source, report)).length > 0) return false
  return (await staleViews(client, source.views, source.release)).length === 0
}

/** The pending migrations of a database; says if it has had migrations of a newer release. */
async function pendingOf(client: Client, { migrations }: Source, report: (words: string) => void) {
  const state = await readState(client)
  const pending = pendingMigrations(migrations, state)
  const newer = newerMigrations(migrations, state)
  if (newer.length > 0)
    report(
      `The database has been upgraded by a newer release (${newer.join(', ')}). Its migrations only expand the ` +
        'schema, so this release works with it too.',
    )
  return pending
}

/** Runs the pending steps one by one, and builds the views that they or a new text of theirs changed. */
async function applyAll(
  context: MigrationContext,
  { migrations, views, release }: Source,
): Promise<string[]> {
  const { client } = context
  await inShortTransaction(context, 'The migration', () => createStateTables(client))
  const pending = pendingMigrations(migrations, await readState(client))
  for (const { migration, steps } of pending)
    for (const step of steps) await runStep(context, migration, step)
  await buildViews(context, views, release)
  return pending.map(({ migration }) => migration.name)
}
