import { type ReactElement, type ReactNode, useCallback, useEffect, useMemo, useState } from 'react'
import type { ItemLabel } from '../contract/meta/answerWords.ts'
import type { ItemFate } from '../contract/meta/lostItems.ts'
import { useContract } from '../engine/contract.ts'
import { useLookup } from '../engine/lookups.ts'
import { itemLabels } from './itemLabels.ts'
import { listNamed } from './listNamed.ts'
import { NamesContext } from './useNamed.ts'

/** Of a list what its items are called; which are retired, where it says so. */
interface Known {
  labels: ReturnType<typeof itemLabels>
  retired?: Set<unknown>
}

/** Loads the lists that texts below ask for, each once, and knows what their items are called. */
export function ItemNames({ children }: { children: ReactNode }): ReactElement {
  const { lookups } = useContract()
  const [lists, setLists] = useState<string[]>([])
  const [known, setKnown] = useState<Map<string, Known>>(new Map())
  const ask = useCallback(
    (names: string[]) =>
      setLists((before) => {
        const found = names.flatMap((name) => listNamed(lookups, name) ?? [])
        return found.every((list) => before.includes(list)) ? before : [...new Set([...before, ...found])]
      }),
    [lookups],
  )
  const names = useMemo(() => {
    const of = (name: string) => known.get(listNamed(lookups, name) ?? '')
    const itemLabel: ItemLabel = (name, value) => of(name)?.labels.get(value)
    const itemFate: ItemFate = (name, value) => {
      const { labels, retired } = of(name) ?? {}
      if (!labels || !retired) return undefined
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
      {lists.map((list) => (
        <Load key={list} list={list} onLoaded={learn} />
      ))}
      {children}
    </NamesContext>
  )
}

interface LoadProps {
  list: string
  onLoaded: (list: string, known: Known) => void
}

function Load({ list, onLoaded }: LoadProps) {
  const { retirable } = useContract().lookups[list]
  // Conditions may name retired items.
  const items = useLookup(list, retirable ? { active: false } : {})
  useEffect(() => {
    if (!items) return
    const retired =
      retirable && new Set(items.flatMap((i) => (i.active === false ? [i.value as unknown] : [])))
    onLoaded(list, { labels: itemLabels(items), ...(retired && { retired }) })
  }, [list, items, retirable, onLoaded])
  return null
}
