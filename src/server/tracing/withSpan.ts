import { type QueryContext, queryContext, withQueryContext } from '../slowQueries.ts'

/** Runs work in a context whose span, where it has one, ends with the work. */
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

/** Runs work as a span of the call or job that it belongs to, named by what is called; without tracing it only runs. */
export function withSpan<T>(name: string, work: () => Promise<T>): Promise<T> {
  const context = queryContext()
  const span = context?.span?.child(name, { kind: 'CLIENT' })
  return context && span ? runSpan({ ...context, span }, work) : work()
}

/** Runs work that goes on after the reply of its call, as a span of the same trace. */
export function withLaterSpan<T>(name: string, work: () => Promise<T>): Promise<T> {
  const context = queryContext()
  const span = context?.span?.later(name)
  return context && span ? runSpan({ ...context, span }, work) : work()
}
