import { type ReactElement, type ReactNode, useCallback, useEffect, useMemo, useState } from 'react'
import { useContract } from '../engine/contract.ts'
import { useLookup } from '../engine/lookups.ts'
import { itemLabels } from './itemLabels.ts'
import { listNamed } from './listNamed.ts'
import { NamesContext } from './useNamed.ts'

type Labels = Map<string, ReturnType<typeof itemLabels>>

/** Loads the lists that texts below ask for, each once, and knows what their items are called. */
export function ItemNames({ children }: { children: ReactNode }): ReactElement {
  const { lookups } = useContract()
  const [lists, setLists] = useState<string[]>([])
  const [labels, setLabels] = useState<Labels>(new Map())
  const ask = useCallback(
    (names: string[]) =>
      setLists((before) => {
        const found = names.flatMap((name) => listNamed(lookups, name) ?? [])
        return found.every((list) => before.includes(list)) ? before : [...new Set([...before, ...found])]
      }),
    [lookups],
  )
  const names = useMemo(() => {
    const itemLabel = (name: string, value: number) => labels.get(listNamed(lookups, name) ?? '')?.get(value)
    return { itemLabel, ask }
  }, [labels, lookups, ask])
  const learn = useCallback(
    (list: string, of: ReturnType<typeof itemLabels>) =>
      setLabels((before) => new Map([...before, [list, of]])),
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
  onLoaded: (list: string, labels: ReturnType<typeof itemLabels>) => void
}

function Load({ list, onLoaded }: LoadProps) {
  const { retirable } = useContract().lookups[list]
  // Conditions may name retired items.
  const items = useLookup(list, retirable ? { active: false } : {})
  useEffect(() => {
    if (items) onLoaded(list, itemLabels(items))
  }, [list, items, onLoaded])
  return null
}
