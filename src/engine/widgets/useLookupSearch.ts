import { useMemo, useState } from 'react'
import type { LookupParams } from '../../contract/lookupCall.ts'
import { type Item, useLookupList } from '../runtime/lookups.ts'
import { useDebounced } from './useDebounced.ts'

/** More choices than this are searched, not read. */
export const LARGE = 200

export interface LookupSearch {
  /** Those that came with the whole list, or its first part, and those that were found; undefined while they load. */
  items: Item[] | undefined
  /** There are others, which the server finds by what is typed. */
  isMore: boolean
  isFinding: boolean
  onType?: (text: string) => void
}

/** The items of a lookup; what is typed is looked for by the server where they are too many to be sent at once. */
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
    isFinding: isMore && (typed !== term || found.isFetching),
    onType: isMore ? setTyped : undefined,
  }
}

function withFound(items: Item[], found: Item[] = []): Item[] {
  const known = new Set(items.map(({ value }) => value))
  return [...items, ...found.filter(({ value }) => !known.has(value))]
}
