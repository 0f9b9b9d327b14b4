import { type ReactNode, useContext } from 'react'
import { PageContext } from './pageContext.ts'

/**
 * The heading of a screen: h1 of a page, h2 below another screen, and in a tab, which shows the name already, h2 for
 * screen readers only.
 */
export function Heading({ children }: { children: ReactNode }) {
  const { inside, below } = useContext(PageContext)
  if (below) return <h2 className="heading">{children}</h2>
  return inside ? <h2 className="visually-hidden">{children}</h2> : <h1 className="heading">{children}</h1>
}
