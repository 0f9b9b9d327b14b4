import { createContext, type RefObject, useContext, useEffect } from 'react'

/** Prints the page; whatever shows only a part of what it has provides a way to print the whole. */
export const PrintContext = createContext(() => window.print())

/** Where a list on a tab says how all of it is printed, for a button above the tabs. */
export const TabPrintContext = createContext<RefObject<(() => void) | undefined>>({ current: undefined })

/** Lets buttons around this part of the page print all of it. */
export function useTabPrint(print: () => void): void {
  const ofTab = useContext(TabPrintContext)
  useEffect(() => {
    ofTab.current = print
    return () => {
      ofTab.current = undefined
    }
  })
}
