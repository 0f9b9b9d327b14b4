import type { PoolClient } from 'pg'
import { queryContext, textOf } from './slowQueries.ts'

/**
 * Records a span for each query of a connection, as a child of its call or job: the text of the statement and never its
 * parameters. The time includes waiting for the queries sent before it on the same connection.
 */
export function traceQueries(client: PoolClient, pool: string): void {
  const query = client.query.bind(client) as (...args: unknown[]) => unknown
  const traced = (...args: unknown[]) => {
    const parent = queryContext()?.span
    const result = query(...args)
    if (!parent || !(result instanceof Promise)) return result
    const text = textOf(args[0])
    const attributes = { 'db.system.name': 'postgresql', 'db.query.text': text, 'casework.pool': pool }
    const span = parent.child(summaryOf(text), { kind: 'CLIENT', attributes })
    if (span)
      result.then(
        () => span.end(),
        (error) => span.end({ error }),
      )
    return result
  }
  client.query = traced as PoolClient['query']
}

/** A statement's first word and first table: `select client_rows`. */
function summaryOf(text: string): string {
  const [command = 'query'] = text.match(/^\w+/) ?? []
  const [, table] = text.match(/\b(?:from|into|update) "?(\w+)/i) ?? []
  return table ? `${command} ${table}` : command
}
