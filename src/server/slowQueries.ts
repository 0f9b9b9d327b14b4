import { AsyncLocalStorage } from 'node:async_hooks'
import type { FastifyBaseLogger } from 'fastify'
import type { PoolClient } from 'pg'
import type { Span } from './tracing/tracing.ts'

/** What queries are sent for: a call with the id of its request, or a job. */
export interface QueryContext {
  for: { call: string; id: string } | { job: string }
  log: Pick<FastifyBaseLogger, 'warn'>
  /** Milliseconds from which a query is slow. */
  slow: number
  /** Of the call or job; undefined without tracing. */
  span?: Span
}

/** Characters of a statement in the log and in traces: enough to find it in the code. */
const LONGEST = 400

const contexts = new AsyncLocalStorage<QueryContext>()

/** Runs work whose slow queries are logged with what they were sent for. */
export function withQueryContext<T>(context: QueryContext, work: () => T): T {
  return contexts.run(context, work)
}

/** What the code that runs now was called for; undefined outside of calls and jobs. */
export function queryContext(): QueryContext | undefined {
  return contexts.getStore()
}

/**
 * Makes a connection log its slow queries: the text of the statement and never its parameters, which are facts about
 * people. The time includes waiting for the queries sent before it on the same connection.
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
      const trace = context.span && { trace_id: context.span.traceId }
      context.log.warn({ ...context.for, ...trace, ms, sql: textOf(args[0]) }, 'a slow query')
    }
    result.then(log, log)
    return result
  }
  client.query = timed as PoolClient['query']
}

/** A statement as one line without its parameters, cut where it is long. */
export function textOf(query: unknown): string {
  const text = typeof query === 'string' ? query : (query as { text: string }).text
  return text.trim().replaceAll(/\s+/g, ' ').slice(0, LONGEST)
}
