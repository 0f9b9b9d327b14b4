import { AsyncLocalStorage } from 'node:async_hooks'
import type { FastifyBaseLogger } from 'fastify'
import type { PoolClient } from 'pg'
import type { Span } from './tracing.ts'

/** The call, with its request id, or the job that sends queries, for logs and traces. */
export interface QueryContext {
  for: { call: string; id: string } | { job: string }
  log: Pick<FastifyBaseLogger, 'warn'>
  /** Milliseconds from which a query is slow. */
  slow: number
  /** Span of the call or job; undefined without tracing. */
  span?: Span
  /** Slow queries of the job so far; undefined in calls, of which each slow query is logged. */
  tally?: SlowTally
}

/** How many queries of a job were slow, their time in all, and the slowest. */
interface SlowTally {
  slow_queries: number
  total_ms: number
  ms: number
  sql: string
}

/** Maximum characters of a statement in the log and in traces: enough to find it in the code. */
const MAX_LENGTH = 400

const contexts = new AsyncLocalStorage<QueryContext>()

/** Runs work in a query context, with which its slow queries are logged. */
export function withQueryContext<T>(context: QueryContext, work: () => T): T {
  return contexts.run(context, work)
}

/** Runs a job so that its slow queries are one line of the log: it may repeat a statement a thousand times. */
export async function tallySlowQueries<T>(
  context: QueryContext,
  job: (context: QueryContext) => Promise<T>,
): Promise<T> {
  const tally: SlowTally = { slow_queries: 0, total_ms: 0, ms: 0, sql: '' }
  try {
    return await job({ ...context, tally })
  } finally {
    if (tally.slow_queries > 0) context.log.warn({ ...context.for, ...tally }, 'slow queries')
  }
}

/** The current query context; undefined outside of calls and jobs. */
export function queryContext(): QueryContext | undefined {
  return contexts.getStore()
}

/**
 * Makes a connection log its slow queries: the text of the statement and never its parameters, which are personal data.
 * The time includes waiting for the queries sent before it on the same connection.
 */
export function logSlowQueries(client: PoolClient): void {
  const query = client.query.bind(client) as (...args: unknown[]) => unknown
  const timed = (...args: unknown[]) => {
    const context = contexts.getStore()
    const sent = performance.now()
    const result = query(...args)
    if (!context || !(result instanceof Promise)) return result
    const log = () => {
      const ms = Math.round(performance.now() - sent)
      if (ms < context.slow) return
      if (context.tally) return addTo(context.tally, ms, args[0])
      const trace = context.span && { trace_id: context.span.traceId }
      context.log.warn({ ...context.for, ...trace, ms, sql: textOf(args[0]) }, 'a slow query')
    }
    result.then(log, log)
    return result
  }
  client.query = timed as PoolClient['query']
}

function addTo(tally: SlowTally, ms: number, query: unknown): void {
  tally.slow_queries++
  tally.total_ms += ms
  if (ms >= tally.ms) Object.assign(tally, { ms, sql: textOf(query) })
}

/** A statement as one line without its parameters, truncated to MAX_LENGTH. */
export function textOf(query: unknown): string {
  const text = typeof query === 'string' ? query : (query as { text: string }).text
  return text.trim().replaceAll(/\s+/g, ' ').slice(0, MAX_LENGTH)
}
