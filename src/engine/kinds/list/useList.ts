import { useCallback, useContext, useEffect, useMemo, useState } from 'react'
import { useParams } from 'react-router-dom'
import type { ListScreen } from '../../../contract/generated.ts'
import { useTabPrint } from '../../actions/print.ts'
import { columnsOf, type RenderedColumn } from '../../cells/columns.ts'
import { type CallOptions, useRead } from '../../core/calls.ts'
import { useContract } from '../../core/contract.ts'
import { entityOf } from '../../core/entityOf.ts'
import { PageContext } from '../../core/pageContext.ts'
import { type ListReply, withRowsInOrder } from '../../core/results.ts'
import { hasColumnChoice } from './state/columnChoice.ts'
import { fillFilters, filtersOf } from './state/filters.ts'
import { listQuery, pageQuery } from './state/listState.ts'
import { type ListStateControls, useListState } from './state/useListState.ts'
import { useColumns } from './useColumns.ts'
import { useListRows, withExtraColumns } from './useListRows.ts'
import { useSelection } from './useSelection.ts'

export interface ListProps {
  screen: ListScreen
  name: string
  /** Query parameters that override those from the URL. */
  fixed?: Record<string, string | undefined>
  /** Opens the filters at first, because they define what is counted. */
  isFilterOpen?: boolean
}

/** The rows of a list with what they depend on: filters, order and page in the URL, columns and selection. */
export type ListData = ReturnType<typeof useList>

export function useList({ screen, name, fixed }: ListProps) {
  const contract = useContract()
  const params = { ...screen.fixedParams, ...useParams() }
  const named = useMemo(() => columnsOf(contract, screen.source, screen.columns), [contract, screen])
  const filters = useMemo(() => filtersOf(contract, screen), [contract, screen])
  const listState = useListState(screen, named, filters)
  const { state } = listState
  // A timeline has the order of its call.
  const filterQuery = {
    ...listQuery(state, filters, screen.layout === 'timeline' ? undefined : screen.group),
    ...fixed,
  }
  const isPaged = screen.pages !== false && screen.rowsKey === undefined
  const query = { ...(isPaged && pageQuery(state)), ...filterQuery }
  const isSearch = contract.endpoints[screen.source].filters !== undefined
  const isFiltered = Object.keys(state.filters).length > 0
  const isIdle = isSearch && !isFiltered
  const read = useListRows(screen, { params, query }, isIdle)
  const { properties } = entityOf(contract, screen.source)
  const applied = { ...read.data?.period, ...state.filters }
  const all = fillFilters(withExtraColumns(named, read.fields), properties, applied, filters)
  // Of two lists on one page, the URL has the state of the first.
  const isSaved = !useContext(PageContext).below && 'savedViews.list' in contract.endpoints
  const { columns, choose } = useColumns(name, all, listState, isSaved, hasColumnChoice(screen))
  const ticked = useSelection(JSON.stringify([params, state.filters]))
  const printAll = usePrintAll(screen.source, { params, query: filterQuery }, isPaged)
  useTabPrint(printAll.print)
  const last = read.data?.pagination.num_pages ?? 1
  useExistingPage(listState, read, printAll.all ?? read.data, last)
  return {
    screen,
    name,
    params,
    filters,
    listState,
    isSearch,
    isFiltered,
    /** True for a search without filters, which has no rows yet. */
    isIdle,
    read,
    /** The rows of the page, or all of them while they are printed. */
    data: printAll.all ?? read.data,
    printAll,
    isPaged,
    last,
    /** All columns, and the visible ones with a function to choose others. */
    all,
    columns,
    choose,
    /** True if views of the list can be saved. */
    isSaved,
    selection: screen.selection && ticked,
    exportQuery: { ...filterQuery, columns: exportedFields(columns) },
  }
}

/** Goes to the last page if the last row of the page was removed, or the page in the URL does not exist. */
function useExistingPage(
  { state: { page }, goTo }: ListStateControls,
  { isPlaceholderData }: { isPlaceholderData: boolean },
  data: ListReply | undefined,
  last: number,
) {
  const isPastLastPage = data !== undefined && !isPlaceholderData && data.data.length === 0 && page > 1
  useEffect(() => {
    if (isPastLastPage) goTo(Math.max(1, Math.min(last, page - 1)))
  }, [isPastLastPage, last, page, goTo])
}

/** Each tag and the marks beside a value are columns of their own in a file. */
function exportedFields(columns: RenderedColumn[]): string {
  const fields = columns.flatMap(({ field, marks, tags = [] }) => [
    field,
    ...(marks ? [marks] : []),
    ...tags.map((tag) => tag.field),
  ])
  return [...new Set(fields)].join()
}

/** Maximum number of rows to print; more would block the browser for long. */
const MAX_ROWS = 500

/** Prints the page with all rows of a list, up to MAX_ROWS; a paginated list loads them first, for the print only. */
function usePrintAll(call: string, { params, query }: CallOptions, isPaged: boolean) {
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
