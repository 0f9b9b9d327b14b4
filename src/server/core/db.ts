import { hostname } from 'node:os'
import { Kysely, PostgresDialect, type RawBuilder, type Transaction } from 'kysely'
import pg from 'pg'
import { nameStatements } from './namedStatements.ts'
import { makeSemaphore } from './semaphore.ts'
import { SETTINGS } from './settingsSchema.ts'
import { logSlowQueries } from './slowQueries.ts'
import { traceQueries } from './traceQueries.ts'

/** A row of any table: table names come from the entities at run time, so its columns have no static types. */
export type Row = Record<string, unknown>
export type Db = Kysely<Record<string, Row>>
export type Tx = Transaction<Record<string, Row>>
/** A fragment of SQL with bound values. */
export type Sql = RawBuilder<unknown>

const DATE = 1082
const INT8 = 20
pg.types.setTypeParser(DATE, (text) => text)
pg.types.setTypeParser(INT8, Number)

/** Connections that only sign-in, health checks and, where no other is free, session lookups use. */
const RESERVED = 2
/** Connections that only exports, reports and background work use. */
const SLOW = 2
/** Ordinary connections that writing transactions leave free for reads. */
const READ_CONNECTIONS = 2

/** Host and process, by which the database counts the servers. PostgreSQL truncates it to 63 characters. */
const APPLICATION = `casework ${process.pid} ${hostname()}`

/** Message of pg's error when a query gets no answer within `query_timeout`. */
const READ_TIMEOUT = 'Query read timeout'
const STATEMENT_TIMEOUT_MS = 5000
const SLOW_STATEMENT_TIMEOUT_MS = 60_000
/** Maximum wait for a connection, and of a writing transaction for its turn. */
const CONNECT_TIMEOUT_MS = 5000
const MAX_WAITING_WRITERS = 500

/**
 * random_page_cost: on an SSD a random read costs about as much as a sequential one. hash_mem_multiplier: lets
 * PostgreSQL hash a set of a million ids (32 MB) instead of searching it once a row. parallel_setup_cost: leaves parallel
 * workers to reports, because those of a sorted page read ahead thousands of rows when it needs fifty.
 */
const PLANNER_SETTINGS =
  'set random_page_cost = 1.1; set hash_mem_multiplier = 8; set parallel_setup_cost = 10000'

/** Milliseconds that a statement waits for a lock, and that a transaction may idle between two statements. */
const SESSION_LIMITS = { lock_timeout: 2000, idle_in_transaction_session_timeout: 30_000 }

/** The connection pools of one database: a call that hangs in one does not block the others. */
export interface Database {
  /** For ordinary calls. */
  db: Db
  /** For sign-in and health checks, so that calls waiting for a locked table do not block them. */
  reserved: Db
  /** For one short query: the ordinary pool while it has a free connection, otherwise the reserved one. */
  leastBusy(): Db
  /** For exports, reports and background work: a statement may take a minute. */
  slow: Db
  /** Runs a transaction on the slow connections. */
  slowTransaction<T>(work: (tx: Tx) => Promise<T>): Promise<T>
  /**
   * Reads the rows of each query in one transaction and one round trip, on the slow connections; throws if a table
   * stays locked for `lockTimeoutMs`.
   */
  readPipelined<T>(lockTimeoutMs: number, queries: RawBuilder<T>[]): Promise<T[][]>
  /** Runs a writing transaction of an ordinary call; throws a 503 if it waits too long for one of the write slots. */
  write<T>(work: (tx: Tx) => Promise<T>): Promise<T>
  /** By pool: its connections, its idle ones and the callers that wait for one. */
  connections(): { pool: string; total: number; idle: number; waiting: number }[]
  close(): Promise<void>
}

interface Options {
  /** Connections of all pools. */
  size?: number
  /** Time zone of the sessions, which decides the current date. */
  timeZone?: string
  /** True if repeated queries become named prepared statements. */
  prepared?: boolean
  /** True if the address is that of a pooler in transaction mode, which rejects session settings at connection. */
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
  const { db, pool } = open({
    name: 'ordinary',
    size: ordinary,
    statementTimeoutMs: STATEMENT_TIMEOUT_MS,
    connectTimeoutMs: CONNECT_TIMEOUT_MS,
  })
  const { db: reserved, pool: reservedPool } = open({
    name: 'reserved',
    size: RESERVED,
    statementTimeoutMs: STATEMENT_TIMEOUT_MS,
    connectTimeoutMs: CONNECT_TIMEOUT_MS,
  })
  const { db: slow, pool: slowPool } = open({
    name: 'slow',
    size: SLOW,
    statementTimeoutMs: SLOW_STATEMENT_TIMEOUT_MS,
    connectTimeoutMs: 4 * CONNECT_TIMEOUT_MS,
  })
  const writeSemaphore = makeSemaphore({
    concurrency: Math.max(1, ordinary - READ_CONNECTIONS),
    queueLimit: MAX_WAITING_WRITERS,
    timeoutMs: CONNECT_TIMEOUT_MS,
  })
  return {
    db,
    reserved,
    slow,
    leastBusy: () => (pool.idleCount + ordinary - pool.totalCount > pool.waitingCount ? db : reserved),
    slowTransaction: (work) => transact(slowPool, work),
    readPipelined: (lockTimeoutMs, queries) => readPipelined(slowPool, lockTimeoutMs, queries),
    write: (work) => writeSemaphore(() => transact(pool, work)),
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

interface ConnectionOptions {
  url: string
  timeZone: string
  prepared: boolean
  pooled: boolean
  clients: Set<pg.PoolClient>
}
interface PoolLimits {
  name: string
  size: number
  statementTimeoutMs: number
  connectTimeoutMs: number
}

/** Opens a pool, whose connections are added to `clients`; a lost connection is replaced, never fatal. */
function openPool(
  { url, timeZone, prepared, pooled, clients }: ConnectionOptions,
  { name, size, statementTimeoutMs, connectTimeoutMs }: PoolLimits,
): { db: Db; pool: pg.Pool } {
  const pool = new pg.Pool({
    connectionString: url,
    application_name: APPLICATION,
    max: size,
    // Queries are sent without waiting for earlier answers: `Promise.all` of several in a transaction is one round
    // trip.
    pipeline: true,
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
    connectionTimeoutMillis: connectTimeoutMs,
    ...(pooled ? {} : { ...SESSION_LIMITS, statement_timeout: statementTimeoutMs }),
    // Longer than `statement_timeout`, so that the database is the first to cancel a statement.
    query_timeout: statementTimeoutMs + 500,
    // Replaces connections, so that their prepared statements are those in current use.
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
  // The first query of a connection, so that `current_date` is that of the service.
  pool.on('connect', (client) => {
    const set = `set time zone ${pg.escapeLiteral(timeZone)}`
    client.query(pooled ? set : `${set}; ${PLANNER_SETTINGS}`).catch(() => undefined)
  })
  // Errors of a client that is checked out of the pool, between two queries of a transaction.
  pool.on('connect', (client) => client.on('error', () => undefined))
  return { db: new Kysely({ dialect: new PostgresDialect({ pool }) }), pool }
}

/**
 * Runs work in a transaction on one connection of a pool. `begin` and the queries of the work are pipelined, where
 * Kysely's own transaction awaits the answer of each statement before it sends the next.
 */
async function transact<T>(pool: pg.Pool, work: (tx: Tx) => Promise<T>): Promise<T> {
  const client = await pool.connect()
  const rollback = () => client.query('rollback').catch(() => undefined)
  try {
    // If it fails, the first statement fails too.
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

/** Pipelines queries with the begin and the commit of their transaction; throws the first error. */
async function readPipelined<T>(
  pool: pg.Pool,
  lockTimeoutMs: number,
  queries: RawBuilder<T>[],
): Promise<T[][]> {
  const client = await pool.connect()
  try {
    const db = onConnection(client)
    const compiled = queries.map((query) => query.compile(db))
    const answers = await Promise.allSettled([
      client.query(`begin; set local lock_timeout = ${lockTimeoutMs}`),
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

/** A cached Kysely instance on one connection that is checked out of its pool. */
function onConnection(client: pg.PoolClient): Tx {
  const known = connections.get(client)
  if (known) return known
  const connection = { query: client.query.bind(client), release: () => undefined }
  const pool = { connect: async () => connection, end: async () => undefined } as unknown as pg.Pool
  const made = new Kysely({ dialect: new PostgresDialect({ pool }) }) as unknown as Tx
  connections.set(client, made)
  return made
}

/**
 * Closes a connection after a read timeout: pg would reuse it, although it may be broken. The idle connections may be
 * broken too, so an error is emitted on each, which makes its pool remove it.
 */
function closeWhenSilent(client: pg.PoolClient, clients: Set<pg.PoolClient>): void {
  const query = client.query.bind(client) as (...args: unknown[]) => Promise<unknown>
  const closing = (...args: unknown[]) =>
    query(...args).catch((error: Error) => {
      if (error.message === READ_TIMEOUT) {
        void (client as unknown as pg.Client).end()
        for (const other of clients) if (other !== client) other.emit('error', error)
      }
      throw error
    })
  client.query = closing as typeof client.query
}
