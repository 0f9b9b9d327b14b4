import { useContext, useMemo } from 'react'
import { PlaceContext } from './place.ts'
import { Screen } from './Screen.tsx'

/** Screens further down the page of another; `title` is that one's. */
export function Below({ screens = [], title }: { screens?: string[]; title: string }) {
  const { titles } = useContext(PlaceContext)
  const place = useMemo(() => ({ titles: [title, ...titles], inside: true, below: true }), [title, titles])
  return (
    <PlaceContext value={place}>
      {screens.map((name) => (
        <Screen key={name} name={name} />
      ))}
    </PlaceContext>
  )
}
