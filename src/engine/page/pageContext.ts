import { createContext, useContext, useEffect } from 'react'

/** Where a screen stands: `titles` are those of what surrounds it, innermost first; `inside` a detail it is a tab, or `below` another screen. */
export interface PageInfo {
  titles: string[]
  inside: boolean
  below?: boolean
}

/** The shell may provide the product's name as the outermost title. */
export const PageContext = createContext<PageInfo>({ titles: [], inside: false })

/** Names the page, and after it what surrounds it; undefined leaves the naming to another part, and so does a part of a page. */
export function useDocumentTitle(own: string | undefined): void {
  const { titles, below } = useContext(PageContext)
  const whole = [own, ...titles].join(' – ')
  useEffect(() => {
    if (own !== undefined && !below) document.title = whole
  }, [own, whole, below])
}
