import { createHash } from 'node:crypto'
import { type Client, type DatabaseError, escapeIdentifier } from 'pg'
import { isBusy, sqlProblem } from '../../core/sqlProblem.ts'
import { StartProblem } from '../../core/startProblem.ts'
import type { SqlFile } from './migrationFiles.ts'
import { inShortTransaction, type MigrationContext } from './shortTransaction.ts'

/** SQLSTATE if "create or replace" cannot change a view: a column was removed, moved or has another type. */
const CANNOT_REPLACE = '42P16'

/** A view file with a hash of its text and of the columns of all that it reads. */
interface View extends SqlFile {
  reads: string
  /** The other views that its text names. */
  from: View[]
}

/** A view as the table built_view has it; `reads` is null if release 0.2 built it. */
interface BuiltView {
  name: string
  reads: string | null
  release: string
}

/**
 * Builds the views whose text, or the columns of what they read, changed since they were built: each in a transaction
 * of its own, so that a call waits for one view at most. A view without a file stays, because servers of the previous
 * release read it; the next contract migration drops it.
 */
export async function buildViews(
  context: MigrationContext,
  files: SqlFile[],
  release: string,
): Promise<void> {
  const { client } = context
  const views = await withReads(client, files)
  const stale = new Set(await staleViews(client, files, release))
  for (const view of views) {
    if (!stale.has(view.name)) continue
    const built = await inShortTransaction(context, `The view ${view.name}`, () =>
      build(client, view, views, release),
    )
    for (const name of built) stale.delete(name)
  }
}

/** Names of the views that were not built from these files and tables; those of a newer release count as built. */
export async function staleViews(client: Client, files: SqlFile[], release: string): Promise<string[]> {
  const built = await readBuilt(client)
  return (await withReads(client, files))
    .filter(({ name, reads }) => {
      const before = built.get(name)
      return !before || (before.reads !== reads && !isOlder(release, before.release))
    })
    .map(({ name }) => name)
}

/** Names of the views that were never built. */
export async function missingViews(client: Client, files: SqlFile[]): Promise<string[]> {
  const built = await readBuilt(client)
  return files.map(({ name }) => name).filter((name) => !built.has(name))
}

/** Drops all views, so that a contract migration may change the tables that they read; in the caller's transaction. */
export async function dropBuiltViews(client: Client): Promise<void> {
  await dropViews(client, [...(await readBuilt(client)).keys()])
  await client.query('delete from built_view')
}

/**
 * Replaces a view if columns were only added at the end; otherwise drops and creates it, with the views that read it.
 * Returns the names of the built views.
 */
async function build(client: Client, view: View, views: View[], release: string): Promise<string[]> {
  await client.query('savepoint replace')
  let built = [view]
  try {
    await createView(client, view)
  } catch (error) {
    if ((error as DatabaseError).code !== CANNOT_REPLACE) throw error
    await client.query('rollback to savepoint replace')
    built = [view, ...views.filter((other) => readsView(other, view))]
    const known = new Set(views.map(({ name }) => name))
    const withoutFile = [...(await readBuilt(client)).keys()].filter((name) => !known.has(name))
    await dropViews(client, [...built.map(({ name }) => name), ...withoutFile])
    await client.query('delete from built_view where name = any($1)', [withoutFile])
    for (const one of built) await createView(client, one)
  }
  for (const { name, hash, reads } of built)
    await client.query(
      `insert into built_view (name, hash, reads, release) values ($1, $2, $3, $4)
        on conflict (name) do update set hash = excluded.hash, reads = excluded.reads, release = excluded.release`,
      [name, hash, reads, release],
    )
  return built.map(({ name }) => name)
}

const isOlder = (release: string, than: string) => release.localeCompare(than, 'en', { numeric: true }) < 0

const readsView = (view: View, other: View): boolean =>
  view.from.some((one) => one === other || readsView(one, other))

async function readBuilt(client: Client): Promise<Map<string, BuiltView>> {
  const { rows: found } = await client.query(`select to_regclass('built_view') is not null as found`)
  if (!found[0].found) return new Map()
  // Release 0.2 has no column "reads".
  const { rows } = await client.query<{ row: BuiltView }>('select to_jsonb(b) as row from built_view b')
  return new Map(rows.map(({ row }) => [row.name, { ...row, reads: row.reads ?? null }]))
}

async function dropViews(client: Client, names: string[]): Promise<void> {
  if (names.length === 0) return
  await client.query(`drop view if exists ${names.map((name) => escapeIdentifier(name)).join()}`)
}

async function createView(client: Client, view: View): Promise<void> {
  const beginning = `create or replace view ${escapeIdentifier(view.name)} as `
  try {
    await client.query(beginning + view.sql)
  } catch (error) {
    if ((error as DatabaseError).code === CANNOT_REPLACE || isBusy(error)) throw error
    throw sqlProblem(view, error, { offset: beginning.length })
  }
}

/** The views in an order in which each comes after those that it reads. */
async function withReads(client: Client, files: SqlFile[]): Promise<View[]> {
  const columns = await columnsOfTables(client)
  const byName = new Map(files.map((file) => [file.name, file]))
  const views = new Map<string, View>()
  const visit = (file: SqlFile, above: SqlFile[]): View => {
    const known = views.get(file.name)
    if (known) return known
    if (above.includes(file)) {
      const names = [...above.slice(above.indexOf(file)), file].map(({ name }) => name)
      throw new StartProblem(`${file.path}: a view cannot read itself (${names.join(' reads ')}).`)
    }
    const words = [...wordsOf(file.sql)].sort()
    const from = words
      .filter((word) => word !== file.name && byName.has(word))
      .map((word) => visit(byName.get(word)!, [...above, file]))
    const tables = words.flatMap((word) => columns.get(word) ?? [])
    const view = { ...file, from, reads: hash([file.hash, ...from.map(({ reads }) => reads), ...tables]) }
    views.set(file.name, view)
    return view
  }
  for (const file of files) visit(file, [])
  return [...views.values()]
}

const hash = (texts: string[]) => createHash('sha256').update(texts.join('\n')).digest('hex')

/** The columns of each table, with their types, as a text. */
async function columnsOfTables(client: Client): Promise<Map<string, string>> {
  const { rows } = await client.query<{ name: string; columns: string }>(`
    select c.relname as name, string_agg(format('%I %s', a.attname, format_type(a.atttypid, a.atttypmod)), ',' order by a.attnum) as columns
    from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
    where c.relnamespace = current_schema()::regnamespace and c.relkind in ('r', 'p')
    group by c.oid`)
  return new Map(rows.map(({ name, columns }) => [name, columns]))
}

/** The words of a query outside of comments and string literals. */
function wordsOf(sql: string): Set<string> {
  return new Set(sql.replaceAll(/--.*|'[^']*'/g, ' ').match(/\w+/g))
}
