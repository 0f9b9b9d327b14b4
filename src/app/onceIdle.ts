import type { QueryClient } from '@tanstack/react-query'

/** How long a page that is always busy keeps what is not needed at once waiting, in ms. */
const AT_MOST = 3000

/** Calls something once, when the page has read what it shows and has nothing to do; until the returned function is called. */
export function onceIdle(queries: QueryClient, act: () => void): () => void {
  const unsubscribe = queries.getQueryCache().subscribe(() => {
    if (queries.isFetching() > 0) return
    unsubscribe()
    // Safari has no idle callback.
    if (typeof requestIdleCallback === 'function') requestIdleCallback(act, { timeout: AT_MOST })
    else setTimeout(act)
  })
  return unsubscribe
}
