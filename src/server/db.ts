import { Kysely, PostgresDialect, type RawBuilder, type Transaction } from 'kysely'
import pg from 'pg'
import { nameStatements } from './namedStatements.ts'
import { SETTINGS } from './settings.ts'

/** Tables are reached by name at run time, from the entities; so the columns of a row are not known to the compiler. */
export type Row = Record<string, unknown>
export type Db = Kysely<Record<string, Row>>
export type Tx = Transaction<Record<string, Row>>
/** A piece of SQL with its values bound. */
export type Sql = RawBuilder<unknown>

const DATE = 1082
const INT8 = 20
pg.types.setTypeParser(DATE, (text) => text)
pg.types.setTypeParser(INT8, Number)

/**
 * A pool of connections; a lost connection is replaced, never fatal. `size` is the most at once, `timeZone` says where
 * today begins, `prepared` whether queries become named prepared statements.
 */
export function openDatabase(
  url: string,
  size = 10,
  timeZone: string = SETTINGS.TIME_ZONE.default,
  prepared = true,
): { db: Db; close: () => Promise<void> } {
  const pool = new pg.Pool({
    connectionString: url,
    max: size,
    connectionTimeoutMillis: 5000,
    statement_timeout: 20_000,
    query_timeout: 25_000,
    lock_timeout: 5000,
    idle_in_transaction_session_timeout: 30_000,
    // So that what a connection has prepared is what is asked these days.
    maxLifetimeSeconds: 3600,
  })
  if (prepared) pool.on('connect', nameStatements)
  pool.on('error', () => undefined)
  // Before anything else of a connection: the database's today must be that of the service.
  pool.on('connect', (client) => {
    client.query(`set time zone ${pg.escapeLiteral(timeZone)}`).catch(() => undefined)
  })
  // Also of one that is lent out, between two queries of a transaction.
  pool.on('connect', (client) => client.on('error', () => undefined))
  const db: Db = new Kysely({ dialect: new PostgresDialect({ pool }) })
  return { db, close: () => db.destroy() }
}
