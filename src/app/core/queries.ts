import { onlineManager, QueryClient } from '@tanstack/react-query'
import { isAxiosError } from 'axios'
import { isReachable, subscribeToConnection } from '../../engine/core/connection.ts'

/**
 * Creates the query cache. A request that the server refuses (4xx) is not retried; by default no query polls. Without a
 * connection nothing is paused silently: it fails at once, and queries are refetched when the server is back.
 */
export function makeQueries(): QueryClient {
  onlineManager.setEventListener((setOnline) => {
    setOnline(isReachable()) // it may have changed while nobody listened
    return subscribeToConnection(() => setOnline(isReachable()))
  })
  return new QueryClient({
    defaultOptions: {
      queries: {
        staleTime: 30_000,
        refetchOnWindowFocus: true,
        refetchOnReconnect: true,
        networkMode: 'always',
        retry: (count, error) => count < 1 && isReachable() && !isRefused(error),
      },
      mutations: { networkMode: 'always' },
    },
  })
}

function isRefused(error: unknown): boolean {
  const status = isAxiosError(error) ? error.response?.status : undefined
  return status !== undefined && status >= 400 && status < 500
}
