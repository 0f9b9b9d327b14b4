import type { Client, DatabaseError } from 'pg'
import type { SqlFile } from './migrationFiles.ts'
import { isBusy, sqlProblem } from './sqlProblem.ts'
import { StartProblem } from './startProblem.ts'

/** SQLSTATE if "create or replace" cannot change a view: a column was removed, moved or has another type. */
const CANNOT_REPLACE = '42P16'

/** The current views of a database: the hash of each view's text, and their release. */
interface BuiltViews {
  hashes: Map<string, string>
  release: string
}

/**
 * Builds the views from their files, each of which has the query of the view that it is named after. Views are replaced
 * if columns were only added at the end, otherwise all are dropped and created. Views of a newer release stay: it runs
 * beside this one, which can read them. Runs in the caller's transaction.
 */
export async function buildViews(
  client: Client,
  views: SqlFile[],
  { release, tablesChanged }: { release: string; tablesChanged: boolean },
): Promise<void> {
  const built = await readBuilt(client)
  const old = [...built.hashes.keys()]
  const isSame =
    old.length === views.length && views.every(({ name, hash }) => built.hashes.get(name) === hash)
  const isOlder = release.localeCompare(built.release, 'en', { numeric: true }) < 0
  if ((isSame || isOlder) && !tablesChanged) return
  const ordered = sortedByDependency(views)
  await client.query('savepoint views')
  try {
    for (const view of ordered) await createView(client, view)
  } catch (error) {
    if ((error as DatabaseError).code !== CANNOT_REPLACE) throw error
    await client.query('rollback to savepoint views')
    await dropViews(client, old)
    for (const view of ordered) await createView(client, view)
  }
  const names = new Set(views.map(({ name }) => name))
  await dropViews(
    client,
    old.filter((name) => !names.has(name)),
  )
  await client.query('truncate built_view')
  for (const { name, hash } of views)
    await client.query('insert into built_view (name, hash, release) values ($1, $2, $3)', [
      name,
      hash,
      release,
    ])
}

/** Drops the views, so that a migration may change the tables that they read. */
export async function dropBuiltViews(client: Client): Promise<void> {
  await dropViews(client, [...(await readBuilt(client)).hashes.keys()])
}

async function readBuilt(client: Client): Promise<BuiltViews> {
  await client.query(`create table if not exists built_view (
    name text primary key, hash text not null, release text not null)`)
  const { rows } = await client.query<{ name: string; hash: string; release: string }>(
    'select * from built_view',
  )
  return {
    hashes: new Map(rows.map(({ name, hash }) => [name, hash])),
    release: rows[0]?.release ?? '',
  }
}

async function dropViews(client: Client, names: string[]): Promise<void> {
  if (names.length === 0) return
  await client.query(`drop view if exists ${names.map((name) => client.escapeIdentifier(name)).join()}`)
}

async function createView(client: Client, view: SqlFile): Promise<void> {
  const beginning = `create or replace view ${client.escapeIdentifier(view.name)} as `
  try {
    await client.query(beginning + view.sql)
  } catch (error) {
    if ((error as DatabaseError).code === CANNOT_REPLACE || isBusy(error)) throw error
    throw sqlProblem(view, error, beginning.length)
  }
}

/** Sorts views topologically: each after those that its text names. */
function sortedByDependency(views: SqlFile[]): SqlFile[] {
  const byName = new Map(views.map((view) => [view.name, view]))
  const ordered = new Set<SqlFile>()
  const visit = (view: SqlFile, above: SqlFile[]) => {
    if (ordered.has(view)) return
    if (above.includes(view)) {
      const names = [...above.slice(above.indexOf(view)), view].map(({ name }) => name)
      throw new StartProblem(`${view.path}: a view cannot read itself (${names.join(' reads ')}).`)
    }
    for (const word of wordsOf(view.sql)) {
      const other = byName.get(word)
      if (other && other !== view) visit(other, [...above, view])
    }
    ordered.add(view)
  }
  for (const view of views) visit(view, [])
  return [...ordered]
}

/** The words of a query outside of comments and string literals. */
function wordsOf(sql: string): Set<string> {
  return new Set(sql.replaceAll(/--.*|'[^']*'/g, ' ').match(/\w+/g))
}
