import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { Outlet, useLocation } from 'react-router-dom'
import { BesidePanel } from '../engine/page/BesidePanel.tsx'
import { preloadDialogs } from '../engine/page/Dialog.tsx'
import { useFocusTracking } from '../engine/page/focusTracking.ts'
import { preloadKinds } from '../engine/registry.ts'
import { useContract } from '../engine/runtime/contract.ts'
import { Header } from './header/Header.tsx'
import { useHeadingFocus } from './headingFocus.ts'
import { SideNav } from './SideNav.tsx'
import { IdleWarning } from './signIn/IdleWarning.tsx'
import { subscribeToVersions } from './versionEvents.ts'

// Exported from the same chunk, to save one more request.
export { Screen } from '../engine/page/Screen.tsx'
export { preloadKind } from '../engine/registry.ts'
export { NotFound } from './NotFound.tsx'

/** What is not needed at once is fetched so much later, in ms. */
const AFTER = 3000

/** What stands around every page of a person who is signed in. */
export default function Shell() {
  const { pathname } = useLocation()
  useHeadingFocus(pathname)
  useFocusTracking()
  const contract = useContract()
  const queries = useQueryClient()
  useEffect(() => subscribeToVersions(contract, queries), [contract, queries])
  useEffect(() => preloadOnceIdle(queries), [queries])
  return (
    <div className="shell">
      <SkipLink to="main" />
      <SideNav />
      <Header />
      <main id="main" tabIndex={-1}>
        <Outlet />
      </main>
      <BesidePanel />
      <IdleWarning />
    </div>
  )
}

/** Fetches the code of the other screens once the first one has read what it shows. */
function preloadOnceIdle(queries: QueryClient): () => void {
  const timer = setTimeout(preloadDialogs, AFTER)
  const unsubscribe = queries.getQueryCache().subscribe(() => {
    if (queries.isFetching() > 0) return
    unsubscribe()
    // Safari has no idle callback; there a kind is fetched when it is first opened.
    if (typeof requestIdleCallback === 'function') requestIdleCallback(preloadKinds, { timeout: AFTER })
  })
  return () => {
    clearTimeout(timer)
    unsubscribe()
  }
}

/** The first stop of the Tab key: past all navigation, to the element with this id. */
function SkipLink({ to }: { to: string }) {
  return (
    <a
      className="skip"
      href={`#${to}`}
      onClick={(event) => {
        // The address of the page stays as it is.
        event.preventDefault()
        document.getElementById(to)?.focus()
      }}
    >
      Skip to main content
    </a>
  )
}
