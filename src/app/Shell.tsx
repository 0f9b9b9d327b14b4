import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { Link, Outlet, useLocation } from 'react-router-dom'
import { setBreadcrumbs } from '../engine/core/breadcrumbs.ts'
import { useContract } from '../engine/core/contract.ts'
import { preloadDialogs } from '../engine/core/Dialog.tsx'
import { ErrorBoundary } from '../engine/core/ErrorBoundary.tsx'
import { useFocusTracking } from '../engine/core/focusTracking.ts'
import { useDocumentTitle } from '../engine/core/pageContext.ts'
import { SidePanel } from '../engine/kinds/form/SidePanel.tsx'
import { preloadKinds } from '../engine/registry.ts'
import { useHeadingFocus } from './core/headingFocus.ts'
import { reloadOutdated } from './core/newRelease.ts'
import { onceIdle } from './core/onceIdle.ts'
import { useSession } from './core/session.ts'
import { subscribeToVersions } from './core/versionEvents.ts'
import { Header } from './header/Header.tsx'
import { SideNav } from './SideNav.tsx'
import { IdleWarning } from './signIn/IdleWarning.tsx'

export { preloadKind } from '../engine/registry.ts'
// Exported from the same chunk, to save one more request.
export { Screen } from '../engine/Screen.tsx'

/** Delay in ms before dialogs are preloaded, even on pages that never finish loading. */
const DIALOGS_DELAY_MS = 3000

/** The layout around every page of a signed-in user. */
export default function Shell() {
  const { pathname } = useLocation()
  const { user } = useSession()
  useHeadingFocus(pathname)
  useFocusTracking()
  const contract = useContract()
  const queries = useQueryClient()
  useEffect(() => subscribeToVersions(contract, queries), [contract, queries])
  useEffect(() => onceIdle(queries, preloadKinds), [queries])
  useEffect(reloadOutdated, [pathname])
  useEffect(() => {
    const onChange = () => document.hidden && reloadOutdated()
    document.addEventListener('visibilitychange', onChange)
    return () => document.removeEventListener('visibilitychange', onChange)
  }, [])
  useEffect(() => {
    const timer = setTimeout(preloadDialogs, DIALOGS_DELAY_MS)
    return () => clearTimeout(timer)
  }, [])
  return (
    <div className="shell">
      <SkipLink to="main" />
      {/* An error around the page must not unmount the page, which may have unsaved input. */}
      <ErrorBoundary what="The menu" fallback={null}>
        <SideNav />
      </ErrorBoundary>
      <ErrorBoundary what="The header" fallback={null}>
        <Header />
      </ErrorBoundary>
      <main id="main" tabIndex={-1}>
        <Outlet />
      </main>
      <ErrorBoundary what="The form" fallback={null}>
        <SidePanel />
      </ErrorBoundary>
      {user && <IdleWarning />}
    </div>
  )
}

/** A skip link, first in the tab order: moves the focus past the navigation to the element with this id. */
function SkipLink({ to }: { to: string }) {
  return (
    <a
      className="skip"
      href={`#${to}`}
      onClick={(event) => {
        // Do not add the fragment to the URL.
        event.preventDefault()
        document.getElementById(to)?.focus()
      }}
    >
      Skip to main content
    </a>
  )
}

export function NotFound() {
  useDocumentTitle('Page not found')
  useEffect(() => setBreadcrumbs([]), [])
  return (
    <>
      <h1 className="heading">Page not found</h1>
      <p>
        Check the address, or go to your <Link to="/dashboard">dashboard</Link>.
      </p>
    </>
  )
}
