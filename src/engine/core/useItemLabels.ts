import { createContext, useContext, useEffect, useMemo } from 'react'
import type { ItemLabel } from '../../contract/describeAnswer.ts'
import type { ItemStatus } from '../../contract/meta/unavailableItems.ts'

/** An item by the name of its list and its value. */
export type Named = readonly [name: string, value: number]

interface ItemLabels {
  itemLabel: ItemLabel
  itemStatus: ItemStatus
  /** Requests to load items, and the lists that they belong to. */
  requestLists: (named: Named[]) => void
}

/** Labels of items of lists; undefined without a provider. */
export const ItemLabelsContext = createContext<ItemLabels>({
  itemLabel: () => undefined,
  itemStatus: () => undefined,
  requestLists: () => {},
})

/** The result of `make`. Loads the items that it names; until then, their labels are undefined. */
export function useItemLabels<T>(make: (itemLabel: ItemLabel, itemStatus: ItemStatus) => T): T {
  const { itemLabel, itemStatus, requestLists } = useContext(ItemLabelsContext)
  const { result, listNames } = useMemo(() => {
    const named: Named[] = []
    const tracking =
      <R>(of: (name: string, value: number) => R) =>
      (name: string, value: number): R => {
        named.push([name, value])
        return of(name, value)
      }
    const result = make(tracking(itemLabel), tracking(itemStatus))
    return { result, listNames: named }
  }, [make, itemLabel, itemStatus])
  useEffect(() => requestLists(listNames), [requestLists, listNames])
  return result
}
