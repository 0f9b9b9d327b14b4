import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Client, DatabaseError } from 'pg'
import { rootFolder } from './rootFolder.ts'
import { StartProblem } from './startProblem.ts'

interface Migration {
  name: string
  path: string
  sql: string
  hash: string
}

const key = 1835625330

/** Brings a database up to date with the folder's NNN_name.sql files and returns the names it applied. */
export async function migrate(
  url: string,
  folder = join(rootFolder(), 'src/server/migrations'),
): Promise<string[]> {
  const migrations = readMigrations(folder)
  const client = new Client({ connectionString: url, application_name: 'migrate' })
  await client.connect()
  try {
    await refuseEncoding(client)
    await client.query('select pg_advisory_lock($1)', [key]) // ends with the connection
    await client.query(`create table if not exists migration (
      name text primary key, hash text not null, applied_at timestamptz not null default now())`)
    const { rows } = await client.query<{ name: string; hash: string }>('select name, hash from migration')
    const missing = notApplied(migrations, new Map(rows.map((row) => [row.name, row.hash])))
    for (const migration of missing) await apply(client, migration)
    return missing.map((migration) => migration.name)
  } finally {
    await client.end()
  }
}

/** Names are searched without their accents, which PostgreSQL can take off in UTF-8 only. */
async function refuseEncoding(client: Client): Promise<void> {
  const { rows } = await client.query<{ server_encoding: string }>('show server_encoding')
  const [{ server_encoding }] = rows
  if (server_encoding === 'UTF8') return
  throw new StartProblem(
    `The database is encoded as ${server_encoding}. Make another one with "encoding 'UTF8' template template0".`,
  )
}

function readMigrations(folder: string): Migration[] {
  const names = readdirSync(folder).filter((name) => name.endsWith('.sql'))
  return names.sort().map((name) => {
    const path = join(folder, name)
    if (!/^\d{3}_\w+\.sql$/.test(name)) throw new StartProblem(`${path}: name it 001_what_it_does.sql.`)
    const sql = readFileSync(path, 'utf8').replaceAll('\r\n', '\n') // git may have changed them
    return { name: name.slice(0, -4), path, sql, hash: createHash('sha256').update(sql).digest('hex') }
  })
}

function notApplied(migrations: Migration[], applied: Map<string, string>): Migration[] {
  for (const { name, path, hash } of migrations) {
    if (applied.has(name) && applied.get(name) !== hash) {
      throw new StartProblem(
        `${path} has changed since it was applied to this database. Put it back as it was and write the ` +
          'change as a new migration.',
      )
    }
  }
  const known = new Set(migrations.map(({ name }) => name))
  const unknown = [...applied.keys()].find((name) => !known.has(name))
  if (unknown !== undefined) {
    throw new StartProblem(
      `The database has had the migration ${unknown}, which this version of the app does not know. ` +
        'Start the version of the app that last used it, or a newer one.',
    )
  }
  return migrations.filter(({ name }) => !applied.has(name))
}

async function apply(client: Client, { name, path, sql, hash }: Migration): Promise<void> {
  try {
    await client.query('begin')
    await client.query(sql)
    await client.query('insert into migration (name, hash) values ($1, $2)', [name, hash])
    await client.query('commit')
  } catch (error) {
    await client.query('rollback').catch(() => {}) // the first error is the one to tell
    const at = error instanceof DatabaseError && error.position ? Number(error.position) : 0
    const line = at > 0 ? `:${sql.slice(0, at).split('\n').length}` : ''
    throw new StartProblem(`${path}${line}: ${(error as Error).message}. Nothing of this file was applied.`)
  }
}
