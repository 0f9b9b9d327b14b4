import { useMemo } from 'react'
import { useSearchParams } from 'react-router-dom'
import type { ListScreen } from '../../../../contract/generated.ts'
import type { RenderedColumn } from '../../../cells/columns.ts'
import { useContract } from '../../../core/contract.ts'
import { useUser } from '../../../core/user.ts'
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

/** The state of a list in the URL, and the functions to change it. */
export interface ListStateControls {
  state: ListState
  pageLink: (page: number) => string
  goTo: (page: number) => void
  resize: (size: number) => void
  sortBy: (sort: Sort) => void
  /** Texts by filter; an empty one clears the filter. */
  filterBy: (texts: Record<string, string>) => void
  /** Link to a saved view: its filters, order and columns replace the current ones. */
  viewLink: (view: ViewInAddress) => string
  openView: (view: ViewInAddress) => void
  /** Resets the list to its defaults. */
  leaveView: () => void
  /** Sets the columns in the URL; null removes them. */
  showColumns: (fields: string[] | null) => void
}

/** The part of a saved view that is in the URL; its query includes the order. */
interface ViewInAddress {
  id: number
  query: Record<string, string>
  columns: string | null
}

/** The state of a list in the URL; the page size is also stored under the list's name. */
export function useListState(
  screen: ListScreen,
  columns: RenderedColumn[],
  filters: Filter[],
): ListStateControls {
  const { id: me } = useUser()
  const [search, setSearch] = useSearchParams()
  const { endpoints } = useContract()
  const remembered = rememberedSize(screen.remember, endpoints[screen.source].pageSize)
  const state = useMemo(
    () =>
      readListState(search, {
        filters,
        sortable: screen.more ? undefined : columns.filter((c) => c.sort).map((c) => c.field),
        size: remembered,
        me,
      }),
    [search, filters, columns, remembered, screen.more, me],
  )
  const viewSearch = ({ id: view, query, columns: fields }: ViewInAddress) => {
    const texts = Object.fromEntries(filters.map(({ name }) => [name, query[name] ?? '']))
    const change = { ...texts, sort: query.sort ?? null, columns: fields, view }
    return changedSearchParams(search, change, screen.defaults)
  }
  return {
    state,
    viewLink: (view) => `?${viewSearch(view)}`,
    openView: (view) => setSearch(viewSearch(view)),
    leaveView: () => {
      const none = [...filters.map(({ name }) => name), 'sort', 'columns', 'view'].map((key) => [key, null])
      setSearch(changedSearchParams(search, Object.fromEntries(none)))
    },
    showColumns: (fields) => {
      const change = { columns: fields?.join() ?? null, page: state.page }
      setSearch(changedSearchParams(search, change), { replace: true })
    },
    pageLink: (page) => `?${changedSearchParams(search, { page })}`,
    goTo: (page) => setSearch(changedSearchParams(search, { page }), { replace: true }),
    resize: (size) => {
      rememberSize(screen.remember, size)
      setSearch(changedSearchParams(search, { size }))
    },
    sortBy: (sort) => setSearch(changedSearchParams(search, { sort: sortText(sort) })),
    filterBy: (texts) => {
      // The form shows the date that '-7d' is today; if it is unchanged, the filter stays relative.
      const isUnchanged = (name: string) => texts[name] === state.filters[name]
      const textOf = (name: string) => (isUnchanged(name) ? state.relative[name] : texts[name])
      const values = Object.keys(texts).map((name) => [name, textOf(name)])
      setSearch(changedSearchParams(search, Object.fromEntries(values), screen.defaults))
    },
  }
}
