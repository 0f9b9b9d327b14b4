import type { QueryClient } from '@tanstack/react-query'

/** Timeout in ms of the idle callback, for pages that are always busy. */
const IDLE_TIMEOUT_MS = 3000

/** Calls a function once, when no query is fetching and the browser is idle. The returned function cancels it. */
export function onceIdle(queries: QueryClient, act: () => void): () => void {
  let cancel = queries.getQueryCache().subscribe(() => {
    if (queries.isFetching() > 0) return
    cancel()
    cancel = whenIdle(act)
  })
  return () => cancel()
}

/** Calls a function when the browser is idle. The returned function cancels it. */
function whenIdle(act: () => void): () => void {
  // Safari has no idle callback.
  if (typeof requestIdleCallback !== 'function') {
    const timer = setTimeout(act)
    return () => clearTimeout(timer)
  }
  const callback = requestIdleCallback(act, { timeout: IDLE_TIMEOUT_MS })
  return () => cancelIdleCallback(callback)
}
