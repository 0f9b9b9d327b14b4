import { QueryClient } from '@tanstack/react-query'
import { isAxiosError } from 'axios'

/** Creates the query cache. A request that the server refuses (4xx) is not retried; by default no query polls. */
export function makeQueries(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        staleTime: 30_000,
        refetchOnWindowFocus: true,
        retry: (count, error) => count < 1 && !isRefused(error),
      },
    },
  })
}

function isRefused(error: unknown): boolean {
  const status = isAxiosError(error) ? error.response?.status : undefined
  return status !== undefined && status >= 400 && status < 500
}
