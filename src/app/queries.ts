import { QueryClient } from '@tanstack/react-query'
import { isAxiosError } from 'axios'

/** The cache of what was read. What the server refuses is not asked again; nothing is asked by the clock. */
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
