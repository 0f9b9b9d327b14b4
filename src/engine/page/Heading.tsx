import { type ReactNode, useContext } from 'react'
import { PageContext } from './pageContext.ts'

/** The heading of a screen: the page's own, or, in a tab whose name is already seen, one for screen readers only; below another screen, its part's. */
export function Heading({ children }: { children: ReactNode }) {
  const { inside, below } = useContext(PageContext)
  if (below) return <h2 className="heading">{children}</h2>
  return inside ? <h2 className="visually-hidden">{children}</h2> : <h1 className="heading">{children}</h1>
}
