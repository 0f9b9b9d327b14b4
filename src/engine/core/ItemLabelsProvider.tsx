import { type ReactElement, type ReactNode, useCallback, useEffect, useMemo, useState } from 'react'
import type { ItemLabel } from '../../contract/describeAnswer.ts'
import type { ItemStatus } from '../../contract/meta/unavailableItems.ts'
import { useContract } from './contract.ts'
import { itemLabels } from './itemLabels.ts'
import { idsOutside } from './labels.ts'
import { listNamed } from './listNamed.ts'
import { useLookupItems, useLookupList } from './lookups.ts'
import { ItemLabelsContext, type Named } from './useItemLabels.ts'

/** A loaded list: labels of its items, retired ones if it can have any, and the requested ids if it is incomplete. */
interface LoadedList {
  labels: ReturnType<typeof itemLabels>
  retired?: Set<unknown>
  requestedIds?: Set<number>
}

/** Loads the lists that descendants request, each once, and provides the labels of their items. */
export function ItemLabelsProvider({ children }: { children: ReactNode }): ReactElement {
  const { lookups } = useContract()
  const [lists, setLists] = useState<Record<string, number[]>>({})
  const [loaded, setLoaded] = useState<Map<string, LoadedList>>(new Map())
  const requestLists = useCallback(
    (named: Named[]) =>
      setLists((before) => {
        const after = new Map(Object.entries(before))
        for (const [name, value] of named) {
          const list = listNamed(lookups, name)
          const ids = list ? (after.get(list) ?? []) : [value]
          if (list && !ids.includes(value)) after.set(list, [...ids, value])
        }
        return [...after].some(([list, ids]) => ids !== before[list]) ? Object.fromEntries(after) : before
      }),
    [lookups],
  )
  const names = useMemo(() => {
    const of = (name: string) => loaded.get(listNamed(lookups, name) ?? '')
    const itemLabel: ItemLabel = (name, value) => of(name)?.labels.get(value)
    const itemStatus: ItemStatus = (name, value) => {
      const { labels, retired, requestedIds } = of(name) ?? {}
      if (!labels || !retired) return undefined
      if (requestedIds && !requestedIds.has(value) && !labels.has(value)) return undefined
      return retired.has(value) ? 'retired' : labels.has(value) ? 'offered' : 'gone'
    }
    return { itemLabel, itemStatus, requestLists }
  }, [loaded, lookups, requestLists])
  const addList = useCallback(
    (list: string, of: LoadedList) => setLoaded((before) => new Map([...before, [list, of]])),
    [],
  )
  return (
    <ItemLabelsContext value={names}>
      {Object.entries(lists).map(([list, ids]) => (
        <ListLoader key={list} list={list} ids={ids} onLoaded={addList} />
      ))}
      {children}
    </ItemLabelsContext>
  )
}

interface LoadProps {
  list: string
  ids: number[]
  onLoaded: (list: string, loaded: LoadedList) => void
}

function ListLoader({ list, ids, onLoaded }: LoadProps) {
  const { retirable } = useContract().lookups[list]
  // Conditions may name retired items.
  const { data } = useLookupList(list, retirable ? { active: false } : {})
  const others = useLookupItems(list, data?.isMore ? idsOutside(data.items, ids) : [])
  useEffect(() => {
    if (!data || !others) return
    const items = [...data.items, ...others]
    const retired =
      retirable && new Set(items.flatMap((i) => (i.active === false ? [i.value as unknown] : [])))
    onLoaded(list, {
      labels: itemLabels(items),
      ...(retired && { retired }),
      ...(data.isMore && { requestedIds: new Set(ids) }),
    })
  }, [list, ids, data, others, retirable, onLoaded])
  return null
}
