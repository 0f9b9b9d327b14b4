import { useCallback, useEffect, useMemo, useState } from 'react'
import { type CallOptions, useRead } from '../runtime/calls.ts'
import { type ListReply, withRowsInOrder } from './results.ts'

/** The most rows that are printed: more would keep the browser busy for long. */
const MOST = 500

/** Prints the page with all rows of a list, up to 500: of one in pages they are read first, and let go again afterwards. */
export function usePrintAll(call: string, { params, query }: CallOptions, isPaged: boolean) {
  const [isRequested, setRequested] = useState(false)
  const { data, isFetching, isError } = useRead<ListReply>(isRequested ? call : undefined, {
    params,
    query: { ...query, p: 1, page_size: MOST },
  })
  const all = useMemo(
    () => (isRequested && !isFetching && data ? withRowsInOrder(data) : undefined),
    [isRequested, isFetching, data],
  )
  useEffect(() => {
    if (!isRequested) return
    // The HTTP client has shown why there is nothing to print.
    if (isError) return setRequested(false)
    if (!all) return
    const end = () => setRequested(false)
    window.addEventListener('afterprint', end)
    // The rows are rendered; give lazily fetched cells a moment before printing.
    const timer = setTimeout(() => window.print(), 100)
    return () => {
      clearTimeout(timer)
      window.removeEventListener('afterprint', end)
    }
  }, [isRequested, isError, all])
  const print = useCallback(() => (isPaged ? setRequested(true) : window.print()), [isPaged])
  return { all, print }
}
