import { useCallback, useEffect, useState } from 'react'
import { type Given, useRead } from '../calls.ts'
import type { ListReply } from './results.ts'

/** The most rows that the server gives at once. */
const MOST = 500

/** Reads all rows of a list, up to 500, prints the page with them, and then lets them go again. */
export function useWhole(call: string, { params, query }: Given) {
  const [asked, setAsked] = useState(false)
  const { data, isFetching, isError } = useRead<ListReply>(asked ? call : undefined, {
    params,
    query: { ...query, p: 1, page_size: MOST },
  })
  const all = asked && !isFetching ? data : undefined
  useEffect(() => {
    if (!asked) return
    // The HTTP client has told the person why there is nothing to print.
    if (isError) return setAsked(false)
    if (!all) return
    const end = () => setAsked(false)
    window.addEventListener('afterprint', end)
    // The rows are drawn by now; what they fetch when they are first seen gets a moment.
    const timer = setTimeout(() => window.print(), 100)
    return () => {
      clearTimeout(timer)
      window.removeEventListener('afterprint', end)
    }
  }, [asked, isError, all])
  return { all, print: useCallback(() => setAsked(true), []) }
}
