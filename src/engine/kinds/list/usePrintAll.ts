import { useCallback, useEffect, useMemo, useState } from 'react'
import { type CallOptions, useRead } from '../../core/calls.ts'
import { type ListReply, withRowsInOrder } from '../../core/results.ts'

/** Maximum number of rows to print; more would block the browser for long. */
const MAX_ROWS = 500

/** Prints the page with all rows of a list, up to MAX_ROWS; a paginated list loads them first, for the print only. */
export function usePrintAll(call: string, { params, query }: CallOptions, isPaged: boolean) {
  const [isRequested, setRequested] = useState(false)
  const { data, isFetching, isError } = useRead<ListReply>(isRequested ? call : undefined, {
    params,
    query: { ...query, p: 1, page_size: MAX_ROWS },
  })
  const all = useMemo(
    () => (isRequested && !isFetching && data ? withRowsInOrder(data) : undefined),
    [isRequested, isFetching, data],
  )
  useEffect(() => {
    if (!isRequested) return
    // The HTTP client has shown the error.
    if (isError) return setRequested(false)
    if (!all) return
    const end = () => setRequested(false)
    window.addEventListener('afterprint', end)
    // The rows are rendered; wait for lazy-loaded cells before printing.
    const timer = setTimeout(() => window.print(), 100)
    return () => {
      clearTimeout(timer)
      window.removeEventListener('afterprint', end)
    }
  }, [isRequested, isError, all])
  const print = useCallback(() => (isPaged ? setRequested(true) : window.print()), [isPaged])
  return { all, print }
}
