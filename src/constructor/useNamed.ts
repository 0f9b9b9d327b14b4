import { createContext, useContext, useEffect, useMemo } from 'react'
import type { ItemLabel } from '../contract/meta/answerWords.ts'

interface Names {
  itemLabel: ItemLabel
  /** Has lists loaded, named as for `itemLabel`. */
  ask: (names: string[]) => void
}

/** What items of lists are called; without ItemNames around they go by their numbers. */
export const NamesContext = createContext<Names>({ itemLabel: () => undefined, ask: () => {} })

/** What `make` says. The lists whose items it names are loaded; until they are there, an item goes by its number. */
export function useNamed<T>(make: (itemLabel: ItemLabel) => T): T {
  const { itemLabel, ask } = useContext(NamesContext)
  const { made, asked } = useMemo(() => {
    const names = new Set<string>()
    const made = make((name, value) => {
      names.add(name)
      return itemLabel(name, value)
    })
    return { made, asked: [...names] }
  }, [make, itemLabel])
  useEffect(() => ask(asked), [ask, asked])
  return made
}
