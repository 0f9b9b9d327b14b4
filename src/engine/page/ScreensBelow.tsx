import { useContext, useMemo } from 'react'
import { PageContext } from './pageContext.ts'
import { Screen } from './Screen.tsx'

/** Screens further down the page of another; `title` is that one's. */
export function ScreensBelow({ screens = [], title }: { screens?: string[]; title: string }) {
  const { titles } = useContext(PageContext)
  const place = useMemo(() => ({ titles: [title, ...titles], inside: true, below: true }), [title, titles])
  return (
    <PageContext value={place}>
      {screens.map((name) => (
        <Screen key={name} name={name} />
      ))}
    </PageContext>
  )
}
