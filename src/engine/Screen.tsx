import { type ComponentType, useContext, useEffect } from 'react'
import { useLocation, useParams } from 'react-router-dom'
import { partsOf } from '../contract/call.ts'
import type { Screen as Described } from '../contract/generated.ts'
import { PutBackContext } from './cells/putBackContext.ts'
import { setBreadcrumbs } from './core/breadcrumbs.ts'
import { useContract } from './core/contract.ts'
import { CustomContext } from './core/custom.ts'
import { ErrorBoundary } from './core/ErrorBoundary.tsx'
import { ErrorCard } from './core/ErrorCard.tsx'
import { fillTemplate } from './core/fillTemplate.ts'
import { loadable } from './core/loadable.tsx'
import { PageContext, useDocumentTitle } from './core/pageContext.ts'
import { ScreenContext } from './core/screenContext.ts'
import { kinds } from './registry.ts'

// Lazy: few users may restore a value.
const PutBack = loadable(() => import('./actions/PutBack.tsx'))

/** Renders a screen of the contract by its name. */
export function Screen({ name }: { name: string }) {
  const screen = useContract().screens[name]
  const params = useParams()
  if (!screen) return <ErrorCard title={`There is no screen '${name}'`} />
  // The key includes path parameters, so that another record mounts a new screen.
  const key = [name, ...partsOf(screen.route).map((part) => params[part])].join(' ')
  const title = fillTemplate(screen.title, params)
  return (
    <ErrorBoundary key={key} what={title || name}>
      <ScreenTitle screen={screen} title={title} />
      <ScreenContext value={Screen}>
        <PutBackContext value={PutBack}>
          <ScreenKind {...{ screen, name }} />
        </PutBackContext>
      </ScreenContext>
    </ErrorBoundary>
  )
}

/** Sets title and breadcrumbs; a detail sets its own once its record is loaded. */
function ScreenTitle({ screen, title }: { screen: Described; title: string }) {
  const { inside } = useContext(PageContext)
  const { pathname } = useLocation()
  const isDetail = screen.kind === 'detail'
  useDocumentTitle(isDetail ? undefined : title)
  useEffect(() => {
    if (!inside && !isDetail) setBreadcrumbs([{ label: title, to: pathname }])
  }, [inside, isDetail, title, pathname])
  return null
}

function ScreenKind({ screen, name }: { screen: Described; name: string }) {
  const custom = useContext(CustomContext)
  if (screen.kind === 'custom') {
    const Component = custom[screen.component]
    return Component ? <Component /> : <ErrorCard title={`There is no component '${screen.component}'`} />
  }
  // Not for a public form, which has a route of its own outside of the shell.
  const Kind = kinds[screen.kind as keyof typeof kinds] as ComponentType<{ screen: Described; name: string }>
  return <Kind {...{ screen, name }} />
}
