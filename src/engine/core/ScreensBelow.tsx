import { useContext, useMemo } from 'react'
import { PageContext } from './pageContext.ts'
import { ScreenContext } from './screenContext.ts'

/** Screens below another screen on its page; `title` is the title of that screen. */
export function ScreensBelow({ screens = [], title }: { screens?: string[]; title: string }) {
  const Screen = useContext(ScreenContext)
  const { titles } = useContext(PageContext)
  const place = useMemo(() => ({ titles: [title, ...titles], inside: true, below: true }), [title, titles])
  return (
    <PageContext value={place}>
      {screens.map((name) => (
        <div key={name} className="screen-below">
          <Screen name={name} />
        </div>
      ))}
    </PageContext>
  )
}
