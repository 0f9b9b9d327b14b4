import { createContext, useContext, useEffect } from 'react'

/** Position of a screen: `titles` around it, innermost first; `inside` a detail as a tab, or `below` another screen. */
export interface PageInfo {
  titles: string[]
  inside: boolean
  below?: boolean
}

/** The shell may provide the product's name as the outermost title. */
export const PageContext = createContext<PageInfo>({ titles: [], inside: false })

/** Sets the document title to a title and those around it; no effect if it is undefined, or `below` another screen. */
export function useDocumentTitle(own: string | undefined): void {
  const { titles, below } = useContext(PageContext)
  const whole = [own, ...titles].join(' – ')
  useEffect(() => {
    if (own !== undefined && !below) document.title = whole
  }, [own, whole, below])
}
