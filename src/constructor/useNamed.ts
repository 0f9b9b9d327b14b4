import { createContext, useContext, useEffect, useMemo } from 'react'
import type { ItemLabel } from '../contract/meta/answerWords.ts'
import type { ItemFate } from '../contract/meta/lostItems.ts'

interface Names {
  itemLabel: ItemLabel
  itemFate: ItemFate
  /** Has lists loaded, named as for `itemLabel`. */
  ask: (names: string[]) => void
}

/** What items of lists are called; without ItemNames around they go by their numbers. */
export const NamesContext = createContext<Names>({
  itemLabel: () => undefined,
  itemFate: () => undefined,
  ask: () => {},
})

/** What `make` says. The lists whose items it names are loaded; until they are there, an item goes by its number. */
export function useNamed<T>(make: (itemLabel: ItemLabel, itemFate: ItemFate) => T): T {
  const { itemLabel, itemFate, ask } = useContext(NamesContext)
  const { made, asked } = useMemo(() => {
    const names = new Set<string>()
    const asking =
      <R>(of: (name: string, value: number) => R) =>
      (name: string, value: number): R => {
        names.add(name)
        return of(name, value)
      }
    const made = make(asking(itemLabel), asking(itemFate))
    return { made, asked: [...names] }
  }, [make, itemLabel, itemFate])
  useEffect(() => ask(asked), [ask, asked])
  return made
}
