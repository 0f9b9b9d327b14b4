import { useMemo } from 'react'
import { useSearchParams } from 'react-router-dom'
import type { ListScreen } from '../../contract/generated.ts'
import type { RenderedColumn } from '../cells/columns.ts'
import { useContract } from '../runtime/contract.ts'
import type { Filter } from './filters.ts'
import {
  changedSearchParams,
  type ListState,
  readListState,
  rememberedSize,
  rememberSize,
  type Sort,
  sortText,
} from './listState.ts'

/** What the list shows, kept in the address bar, and the ways to change it. */
interface ListStateControls {
  state: ListState
  /** Address of a page, as a link wants it. */
  pageLink: (page: number) => string
  goTo: (page: number) => void
  resize: (size: number) => void
  sortBy: (sort: Sort) => void
  /** Texts by filter; an empty one takes the filter off. */
  filterBy: (texts: Record<string, string>) => void
}

/** The state of a list in the address bar; the page size is also remembered under the list's name. */
export function useListState(
  screen: ListScreen,
  columns: RenderedColumn[],
  filters: Filter[],
): ListStateControls {
  const [search, setSearch] = useSearchParams()
  const { endpoints } = useContract()
  const remembered = rememberedSize(screen.remember, endpoints[screen.source].pageSize)
  const state = useMemo(
    () =>
      readListState(search, {
        filters,
        sortable: screen.more ? undefined : columns.filter((c) => c.sort).map((c) => c.field),
        size: remembered,
      }),
    [search, filters, columns, remembered, screen.more],
  )
  return {
    state,
    pageLink: (page) => `?${changedSearchParams(search, { page })}`,
    goTo: (page) => setSearch(changedSearchParams(search, { page }), { replace: true }),
    resize: (size) => {
      rememberSize(screen.remember, size)
      setSearch(changedSearchParams(search, { size }))
    },
    sortBy: (sort) => setSearch(changedSearchParams(search, { sort: sortText(sort) })),
    filterBy: (texts) => setSearch(changedSearchParams(search, texts, screen.defaults)),
  }
}
