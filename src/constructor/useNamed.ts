import { createContext, useContext, useEffect, useMemo } from 'react'
import type { ItemLabel } from '../contract/meta/answerWords.ts'
import type { ItemFate } from '../contract/meta/lostItems.ts'

/** An item by the name of its list and its value. */
export type Named = readonly [name: string, value: number]

interface Names {
  itemLabel: ItemLabel
  itemFate: ItemFate
  /** Has lists loaded, named as for `itemLabel`, and the items that are named of them. */
  ask: (named: Named[]) => void
}

/** What items of lists are called; without ItemNames around they go by their numbers. */
export const NamesContext = createContext<Names>({
  itemLabel: () => undefined,
  itemFate: () => undefined,
  ask: () => {},
})

/** What `make` says. The items that it names are loaded; until they are there, one goes by its number. */
export function useNamed<T>(make: (itemLabel: ItemLabel, itemFate: ItemFate) => T): T {
  const { itemLabel, itemFate, ask } = useContext(NamesContext)
  const { made, asked } = useMemo(() => {
    const named: Named[] = []
    const asking =
      <R>(of: (name: string, value: number) => R) =>
      (name: string, value: number): R => {
        named.push([name, value])
        return of(name, value)
      }
    const made = make(asking(itemLabel), asking(itemFate))
    return { made, asked: named }
  }, [make, itemLabel, itemFate])
  useEffect(() => ask(asked), [ask, asked])
  return made
}
