import { createContext, type RefObject, useContext, useEffect } from 'react'

/** Prints the page. A list that shows one page of its rows provides a function that prints all of them. */
export const PrintContext = createContext(() => window.print())

/** The print function of the list on the open tab, for a button above the tabs. */
export const TabPrintContext = createContext<RefObject<(() => void) | undefined>>({ current: undefined })

/** Registers the print function of a tab for the buttons above it. */
export function useTabPrint(print: () => void): void {
  const ofTab = useContext(TabPrintContext)
  useEffect(() => {
    ofTab.current = print
    return () => {
      ofTab.current = undefined
    }
  })
}
