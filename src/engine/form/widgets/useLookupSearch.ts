import { useMemo, useState } from 'react'
import type { LookupParams } from '../../../contract/lookupCall.ts'
import { type Item, useLookupList } from '../../core/lookups.ts'
import { useDebounced } from './useDebounced.ts'

/** Maximum number of choices in a list without a search. */
export const LARGE = 200

export interface LookupSearch {
  /** The whole list or its first part, with the search results; undefined while loading. */
  items: Item[] | undefined
  /** True if there are other items, which the server finds by the typed text. */
  isMore: boolean
  isSearching: boolean
  onType?: (text: string) => void
}

/** The items of a lookup; if there are too many to load at once, the server searches for the typed text. */
export function useLookupSearch(name: string | undefined, params: LookupParams): LookupSearch {
  const [typed, setTyped] = useState('')
  const term = useDebounced(typed)
  const { data: list } = useLookupList(name, params)
  const isMore = list?.isMore ?? false
  const found = useLookupList(isMore && term ? name : undefined, { ...params, term }, { keep: true })
  const items = useMemo(
    () => list && withFound(list.items, isMore && term ? found.data?.items : undefined),
    [list, isMore, term, found.data],
  )
  return {
    items,
    isMore,
    isSearching: isMore && (typed !== term || found.isFetching),
    onType: isMore ? setTyped : undefined,
  }
}

function withFound(items: Item[], found: Item[] = []): Item[] {
  const known = new Set(items.map(({ value }) => value))
  return [...items, ...found.filter(({ value }) => !known.has(value))]
}
