import { type ReactNode, useContext } from 'react'
import { PlaceContext } from './place.ts'

/** The heading of a screen: the page's own, or, in a tab whose name is already seen, one for screen readers only. */
export function Heading({ children }: { children: ReactNode }) {
  const { inside } = useContext(PlaceContext)
  return inside ? <h2 className="visually-hidden">{children}</h2> : <h1 className="heading">{children}</h1>
}
