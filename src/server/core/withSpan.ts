import { type QueryContext, queryContext, withQueryContext } from './slowQueries.ts'

/** Runs work in a query context, and ends the context's span, if any, with the work. */
export async function runSpan<T>(context: QueryContext, work: () => Promise<T>): Promise<T> {
  try {
    const result = await withQueryContext(context, work)
    context.span?.end()
    return result
  } catch (error) {
    context.span?.end({ error })
    throw error
  }
}

/**
 * Runs work in a child span of the current call or job, named after the called service; without tracing only runs it.
 */
export function withSpan<T>(name: string, work: () => Promise<T>): Promise<T> {
  const context = queryContext()
  const span = context?.span?.child(name, { kind: 'CLIENT' })
  return context && span ? runSpan({ ...context, span }, work) : work()
}

/** Runs work after the reply of its call, in a span of the same trace. */
export function withLaterSpan<T>(name: string, work: () => Promise<T>): Promise<T> {
  const context = queryContext()
  const span = context?.span?.later(name)
  return context && span ? runSpan({ ...context, span }, work) : work()
}
