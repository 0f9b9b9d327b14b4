import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { StartProblem } from './startProblem.ts'

export interface SqlFile {
  name: string
  path: string
  sql: string
  hash: string
}
export interface Migration extends SqlFile {
  /** Servers of the release before run on with what an expand migration left; a contract migration ends that. */
  kind: 'expand' | 'contract'
}

/** First migration of release 0.1, whose databases cannot be upgraded. */
const UNSUPPORTED = '001_tables'

/** The SQL files of a folder in the order of their names. */
export function readSqlFiles(folder: string): SqlFile[] {
  const names = readdirSync(folder).filter((name) => name.endsWith('.sql'))
  return names.sort().map((name) => {
    const path = join(folder, name)
    const sql = readFileSync(path, 'utf8').replaceAll('\r\n', '\n') // git may have changed them
    return { name: name.slice(0, -4), path, sql, hash: createHash('sha256').update(sql).digest('hex') }
  })
}

/** The migrations of a folder; a StartProblem names a file without an order or a kind. */
export function readMigrations(folder: string): Migration[] {
  return readSqlFiles(folder).map((file) => {
    if (!/^\d{3}_\w+$/.test(file.name)) throw new StartProblem(`${file.path}: name it 001_what_it_does.sql.`)
    const kind = file.sql.match(/^-- kind: (expand|contract)\n/)?.[1] as Migration['kind'] | undefined
    if (kind) return { ...file, kind }
    throw new StartProblem(
      `${file.path}:1: begin with "-- kind: expand", or with "-- kind: contract" where the release before ` +
        'cannot run on with it.',
    )
  })
}

/** The migrations that a database has not had; a StartProblem says why it cannot have them. */
export function pendingMigrations(migrations: Migration[], applied: Map<string, string>): Migration[] {
  if (applied.has(UNSUPPORTED)) {
    throw new StartProblem(
      'The database was made by release 0.1, and release 0.2 is the first whose databases can be upgraded. ' +
        'Nothing was changed. Set DATA_DIR to a new folder, or DATABASE_URL to an empty database, or start ' +
        'release 0.1 again to go on with this one.',
    )
  }
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
