import { type ReactElement, type ReactNode, useCallback, useEffect, useMemo, useState } from 'react'
import type { ItemLabel } from '../contract/meta/answerWords.ts'
import type { ItemFate } from '../contract/meta/lostItems.ts'
import { idsOutside } from '../engine/cells/labels.ts'
import { useContract } from '../engine/contract.ts'
import { useLookupItems, useLookupList } from '../engine/lookups.ts'
import { itemLabels } from './itemLabels.ts'
import { listNamed } from './listNamed.ts'
import { type Named, NamesContext } from './useNamed.ts'

/** Of a list what its items are called; which are retired, where it says so; which of a list that did not come whole were looked for. */
interface Known {
  labels: ReturnType<typeof itemLabels>
  retired?: Set<unknown>
  sought?: Set<number>
}

/** Loads the lists that texts below ask for, each once, and knows what their items are called. */
export function ItemNames({ children }: { children: ReactNode }): ReactElement {
  const { lookups } = useContract()
  const [lists, setLists] = useState<Record<string, number[]>>({})
  const [known, setKnown] = useState<Map<string, Known>>(new Map())
  const ask = useCallback(
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
    const of = (name: string) => known.get(listNamed(lookups, name) ?? '')
    const itemLabel: ItemLabel = (name, value) => of(name)?.labels.get(value)
    const itemFate: ItemFate = (name, value) => {
      const { labels, retired, sought } = of(name) ?? {}
      if (!labels || !retired) return undefined
      if (sought && !sought.has(value) && !labels.has(value)) return undefined
      return retired.has(value) ? 'retired' : labels.has(value) ? 'offered' : 'gone'
    }
    return { itemLabel, itemFate, ask }
  }, [known, lookups, ask])
  const learn = useCallback(
    (list: string, of: Known) => setKnown((before) => new Map([...before, [list, of]])),
    [],
  )
  return (
    <NamesContext value={names}>
      {Object.entries(lists).map(([list, ids]) => (
        <Load key={list} list={list} ids={ids} onLoaded={learn} />
      ))}
      {children}
    </NamesContext>
  )
}

interface LoadProps {
  list: string
  /** Items that texts name. */
  ids: number[]
  onLoaded: (list: string, known: Known) => void
}

function Load({ list, ids, onLoaded }: LoadProps) {
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
      ...(data.isMore && { sought: new Set(ids) }),
    })
  }, [list, ids, data, others, retirable, onLoaded])
  return null
}
