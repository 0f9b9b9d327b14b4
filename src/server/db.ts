import { hostname } from 'node:os'
import { Kysely, PostgresDialect, type RawBuilder, type Transaction } from 'kysely'
import pg from 'pg'
import { nameStatements } from './namedStatements.ts'
import { makeSemaphore } from './semaphore.ts'
import { SETTINGS } from './settings.ts'
import { logSlowQueries } from './slowQueries.ts'
import { traceQueries } from './tracing/traceQueries.ts'

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

/** Connections that only sign-in, health checks and, where no other is free, session lookups use. */
const RESERVED = 2
/** Connections that only exports, reports and background work use. */
const SLOW = 2
/** Connections of ordinary calls that writing transactions leave to reads. */
const FOR_READS = 2

/** By which the database counts the servers: host and process. PostgreSQL cuts it off after 63 characters. */
const APPLICATION = `casework ${process.pid} ${hostname()}`

/** What pg says where a query got no answer in time, not even the refusal of the database. */
const READ_TIMEOUT = 'Query read timeout'
/** Milliseconds that a statement may take. */
const ORDINARY = 5000
const LONG = 60_000
/** Milliseconds that a call waits for a connection, or a writing transaction for its turn. */
const PATIENCE = 5000
const WAITING_WRITERS = 500

/**
 * On an SSD a random read costs as much as the next page; and a set of a million ids that rows are tested against is
 * hashed (32 MB), where a smaller limit would make PostgreSQL search it once a row.
 */
const PLANNER_SETTINGS = 'set random_page_cost = 1.1; set hash_mem_multiplier = 8'

/** Milliseconds that a statement waits for a lock, and that a transaction may wait for its next statement. */
const SESSION_LIMITS = { lock_timeout: 2000, idle_in_transaction_session_timeout: 30_000 }

/** The pools of one database: a call that hangs in one of them stops nobody in the others. */
export interface Database {
  /** For ordinary calls. */
  db: Db
  /** For sign-in and health checks, so that a locked table does not stop them. */
  reserved: Db
  /** For one short query: the ordinary pool while it has a free connection, otherwise the reserved one. */
  leastBusy(): Db
  /** For exports, reports and background work: a statement may take a minute. */
  slow: Db
  /** Runs a transaction on the slow connections. */
  transactSlowly<T>(work: (tx: Tx) => Promise<T>): Promise<T>
  /**
   * Reads the rows of each query in one transaction, which takes one round trip, on the slow connections; throws where a
   * table stays locked for `patience` milliseconds.
   */
  readTogether<T>(patience: number, queries: RawBuilder<T>[]): Promise<T[][]>
  /** Runs a writing transaction of an ordinary call once fewer than most connections write; throws the 503 where that takes too long. */
  write<T>(work: (tx: Tx) => Promise<T>): Promise<T>
  /** How many connections each pool has, has free, and how many callers wait for one. */
  connections(): { pool: string; total: number; idle: number; waiting: number }[]
  close(): Promise<void>
}

interface Options {
  /** Connections in all. */
  size?: number
  /** Where today begins. */
  timeZone?: string
  /** Whether queries become named prepared statements. */
  prepared?: boolean
  /** Whether the address is that of a pooler in transaction mode, which refuses settings of a session. */
  pooled?: boolean
}

export function openDatabase(
  url: string,
  {
    size = SETTINGS.POOL_SIZE.default,
    timeZone = SETTINGS.TIME_ZONE.default,
    prepared = true,
    pooled = false,
  }: Options = {},
): Database {
  const ordinary = Math.max(1, size - RESERVED - SLOW)
  const clients = new Set<pg.PoolClient>()
  const open = (limits: PoolLimits) => openPool({ url, timeZone, prepared, pooled, clients }, limits)
  const { db, pool } = open({ name: 'ordinary', size: ordinary, longest: ORDINARY, patience: PATIENCE })
  const { db: reserved, pool: reservedPool } = open({
    name: 'reserved',
    size: RESERVED,
    longest: ORDINARY,
    patience: PATIENCE,
  })
  const { db: slow, pool: slowPool } = open({
    name: 'slow',
    size: SLOW,
    longest: LONG,
    patience: 4 * PATIENCE,
  })
  const most = Math.max(1, ordinary - FOR_READS)
  const inTurn = makeSemaphore({ most, queue: WAITING_WRITERS, patience: PATIENCE })
  return {
    db,
    reserved,
    slow,
    leastBusy: () => (pool.idleCount + ordinary - pool.totalCount > pool.waitingCount ? db : reserved),
    transactSlowly: (work) => transact(slowPool, work),
    readTogether: (patience, queries) => readTogether(slowPool, patience, queries),
    write: (work) => inTurn(() => transact(pool, work)),
    connections: () =>
      Object.entries({ ordinary: pool, reserved: reservedPool, slow: slowPool }).map(([name, one]) => ({
        pool: name,
        total: one.totalCount,
        idle: one.idleCount,
        waiting: one.waitingCount,
      })),
    close: async () => {
      await Promise.all([db.destroy(), reserved.destroy(), slow.destroy()])
    },
  }
}

interface Connecting {
  url: string
  timeZone: string
  prepared: boolean
  pooled: boolean
  clients: Set<pg.PoolClient>
}
interface PoolLimits {
  name: string
  size: number
  /** Milliseconds that a statement may take. */
  longest: number
  /** Milliseconds to wait for a connection. */
  patience: number
}

/** A pool of connections, which are kept in `clients`; a lost connection is replaced, never fatal. */
function openPool(
  { url, timeZone, prepared, pooled, clients }: Connecting,
  { name, size, longest, patience }: PoolLimits,
): { db: Db; pool: pg.Pool } {
  const pool = new pg.Pool({
    connectionString: url,
    application_name: APPLICATION,
    max: size,
    // What does not wait for an answer is sent at once: `Promise.all` of several queries of a transaction is one round trip.
    pipeline: true,
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
    connectionTimeoutMillis: patience,
    ...(pooled ? {} : { ...SESSION_LIMITS, statement_timeout: longest }),
    // The database should be the first to say that a statement took too long.
    query_timeout: longest + 500,
    // So that what a connection has prepared is what is asked these days.
    maxLifetimeSeconds: 3600,
  })
  if (prepared) pool.on('connect', nameStatements)
  pool.on('error', () => undefined)
  pool.on('connect', (client) => {
    clients.add(client)
    closeWhenSilent(client, clients)
    logSlowQueries(client)
    traceQueries(client, name)
  })
  pool.on('remove', (client) => clients.delete(client))
  // Before anything else of a connection: the database's today must be that of the service.
  pool.on('connect', (client) => {
    const set = `set time zone ${pg.escapeLiteral(timeZone)}`
    client.query(pooled ? set : `${set}; ${PLANNER_SETTINGS}`).catch(() => undefined)
  })
  // Also of one that is lent out, between two queries of a transaction.
  pool.on('connect', (client) => client.on('error', () => undefined))
  return { db: new Kysely({ dialect: new PostgresDialect({ pool }) }), pool }
}

/**
 * Runs work in a transaction on one connection of a pool. What the work does not wait for is sent at once, as is `begin`;
 * Kysely's own transaction sends one statement after the other's answer.
 */
async function transact<T>(pool: pg.Pool, work: (tx: Tx) => Promise<T>): Promise<T> {
  const client = await pool.connect()
  const rollback = () => client.query('rollback').catch(() => undefined)
  try {
    // Where it fails, the first statement does.
    client.query('begin').catch(() => undefined)
    const result = await work(onConnection(client)).catch(async (error) => {
      await rollback()
      throw error
    })
    const { command } = await client.query('commit')
    if (command !== 'COMMIT') throw new Error(`A transaction ended with ${command}.`)
    return result
  } finally {
    client.release()
  }
}

/** Sends queries with the begin and the end of their transaction, waiting for no answer; throws the first failure. */
async function readTogether<T>(pool: pg.Pool, patience: number, queries: RawBuilder<T>[]): Promise<T[][]> {
  const client = await pool.connect()
  try {
    const db = onConnection(client)
    const compiled = queries.map((query) => query.compile(db))
    const answers = await Promise.allSettled([
      client.query(`begin; set local lock_timeout = ${patience}`),
      ...compiled.map(({ sql, parameters }) => client.query(sql, [...parameters])),
      client.query('commit'),
    ])
    const rows = answers.map((answer) => {
      if (answer.status === 'rejected') throw answer.reason
      return answer.value.rows
    })
    return rows.slice(1, -1)
  } finally {
    client.release()
  }
}

const connections = new WeakMap<pg.PoolClient, Tx>()

/** Queries on one connection, which somebody has taken out of its pool. */
function onConnection(client: pg.PoolClient): Tx {
  const known = connections.get(client)
  if (known) return known
  const lent = { query: client.query.bind(client), release: () => undefined }
  const pool = { connect: async () => lent, end: async () => undefined } as unknown as pg.Pool
  const made = new Kysely({ dialect: new PostgresDialect({ pool }) }) as unknown as Tx
  connections.set(client, made)
  return made
}

/**
 * Closes a connection whose answer did not come in time: pg would hand it out again, although it may stay silent. The
 * idle ones may be silent too: an error makes their pool remove them.
 */
function closeWhenSilent(client: pg.PoolClient, clients: Set<pg.PoolClient>): void {
  const query = client.query.bind(client) as (...given: unknown[]) => Promise<unknown>
  const closing = (...given: unknown[]) =>
    query(...given).catch((error: Error) => {
      if (error.message === READ_TIMEOUT) {
        void (client as unknown as pg.Client).end()
        for (const other of clients) if (other !== client) other.emit('error', error)
      }
      throw error
    })
  client.query = closing as typeof client.query
}
