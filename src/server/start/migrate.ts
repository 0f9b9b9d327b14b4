import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Client } from 'pg'
import {
  type Migration,
  pendingMigrations,
  readMigrations,
  readSqlFiles,
  type SqlFile,
} from './migrationFiles.ts'
import { productVersion } from './productVersion.ts'
import { rootFolder } from './rootFolder.ts'
import { isBusy, sqlProblem } from './sqlProblem.ts'
import { StartProblem } from './startProblem.ts'
import { buildViews, dropBuiltViews } from './views.ts'
import { withClient } from './withClient.ts'

interface Folders {
  migrations: string
  views: string
}
interface Source {
  migrations: Migration[]
  views: SqlFile[]
  /** Version of the app that they belong to. */
  release: string
}

/** Key of the advisory lock that lets only one server migrate at a time. */
const LOCK = 1835625330
/**
 * A statement that waits for a table lock blocks all later ones, so a migration gives up soon and tries again. The
 * timeout is less than PostgreSQL's deadlock_timeout of a second, after which it could cancel a call instead.
 */
const LOCK_TIMEOUT = '500ms'
const ATTEMPTS = 30
/** Milliseconds between two attempts. */
const RETRY_DELAY_MS = 1000

/** Migrates a database to the state of the folders, and returns the names of the applied migrations. */
export async function migrate(url: string, folders: Folders = sourceFolders()): Promise<string[]> {
  const source = {
    migrations: readMigrations(folders.migrations),
    views: readSqlFiles(folders.views),
    release: productVersion(),
  }
  return await withClient(url, 'migrate', async (client) => {
    await refuseEncoding(client)
    const applied: string[] = []
    for (;;) {
      const name = await retried(() => inTransaction(client, () => applyNext(client, source)))
      if (name === undefined) return applied
      applied.push(name)
    }
  })
}

/**
 * Throws a StartProblem if a database lacks a migration or view of the folders; changes nothing. Views of a newer
 * release are accepted.
 */
export async function refusePending(url: string, folders: Folders = sourceFolders()): Promise<void> {
  await withClient(url, 'migrate', async (client) => {
    const applied = await hashesOf(client, 'migration')
    const migrations = pendingMigrations(readMigrations(folders.migrations), applied).map(({ name }) => name)
    const built = await hashesOf(client, 'built_view')
    const views = readSqlFiles(folders.views).filter(({ name }) => !built.has(name))
    const missing = [...migrations, ...views.map(({ name }) => `the view ${name}`)]
    if (missing.length > 0)
      throw new StartProblem(
        `The database lacks ${missing[0]}${missing.length > 1 ? ` and ${missing.length - 1} more` : ''}. Run ` +
          '`npm run migrate` with a role that owns its tables, or start with MIGRATE=1.',
      )
  })
}

/** Hashes by name from a table of applied migrations or views; empty if the table does not exist yet. */
async function hashesOf(client: Client, table: 'migration' | 'built_view'): Promise<Map<string, string>> {
  const { rows: found } = await client.query('select to_regclass($1) as found', [table])
  if (found[0].found === null) return new Map()
  const { rows } = await client.query<{ name: string; hash: string }>(`select name, hash from ${table}`)
  return new Map(rows.map(({ name, hash }) => [name, hash]))
}

function sourceFolders(): Folders {
  const server = join(rootFolder(), 'src/server')
  return { migrations: join(server, 'migrations'), views: join(server, 'views') }
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

/**
 * Applies the first pending migration, and with the last one the views; returns its name, undefined if none is pending.
 */
async function applyNext(
  client: Client,
  { migrations, views, release }: Source,
): Promise<string | undefined> {
  // A transaction-level lock: a pooler may run each transaction in another session.
  await client.query('select pg_advisory_xact_lock($1)', [LOCK])
  await client.query(`set local lock_timeout = '${LOCK_TIMEOUT}'`)
  await client.query(`create table if not exists migration (
    name text primary key, hash text not null, applied_at timestamptz not null default now())`)
  const pending = pendingMigrations(migrations, await hashesOf(client, 'migration'))
  const [migration] = pending
  if (migration?.kind === 'contract') await dropBuiltViews(client)
  if (migration) await apply(client, migration)
  if (pending.length <= 1)
    await buildViews(client, views, { release, tablesChanged: migration !== undefined })
  return migration?.name
}

async function apply(client: Client, migration: Migration): Promise<void> {
  try {
    await client.query(migration.sql)
  } catch (error) {
    throw isBusy(error) ? error : sqlProblem(migration, error)
  }
  const { name, hash } = migration
  await client.query('insert into migration (name, hash) values ($1, $2)', [name, hash])
}

async function inTransaction<T>(client: Client, work: () => Promise<T>): Promise<T> {
  await client.query('begin')
  try {
    const result = await work()
    await client.query('commit')
    return result
  } catch (error) {
    await client.query('rollback').catch(() => {}) // the first error is the one to report
    throw error
  }
}

async function retried<T>(work: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work()
    } catch (error) {
      if (!isBusy(error)) throw error
      if (attempt === ATTEMPTS)
        throw new StartProblem(
          `The database cannot be migrated: others use its tables all the time (${(error as Error).message}). ` +
            'Start again when less is going on.',
        )
      await sleep(RETRY_DELAY_MS)
    }
  }
}
