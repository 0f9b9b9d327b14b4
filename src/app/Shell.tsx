import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { Outlet, useLocation } from 'react-router-dom'
import { preloadDialogs } from '../engine/page/Dialog.tsx'
import { useFocusTracking } from '../engine/page/focusTracking.ts'
import { preloadKinds } from '../engine/registry.ts'
import { useContract } from '../engine/runtime/contract.ts'
import { DashboardMenu } from './DashboardMenu.tsx'
import { Header } from './header/Header.tsx'
import { useHeadingFocus } from './headingFocus.ts'
import { SideNav } from './SideNav.tsx'
import { SkipLink } from './SkipLink.tsx'
import { IdleWarning } from './signIn/IdleWarning.tsx'
import { subscribeToVersions } from './versionEvents.ts'

// In the same part of the program as what surrounds them: one more to fetch would be one more to wait for.
export { Screen } from '../engine/page/Screen.tsx'
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
  useEffect(() => {
    const timer = setTimeout(preloadDialogs, AFTER)
    // Safari has no idle callback; there a kind is fetched when it is first opened.
    if (typeof requestIdleCallback === 'function') requestIdleCallback(preloadKinds, { timeout: AFTER })
    return () => clearTimeout(timer)
  }, [])
  const onDashboard = /^\/dashboard(\/|$)/.test(pathname)
  return (
    <div className="shell">
      <SkipLink to="main" />
      <SideNav />
      <Header />
      <div className="work">
        {onDashboard && <DashboardMenu />}
        <main id="main" tabIndex={-1}>
          <Outlet />
        </main>
      </div>
      <IdleWarning />
    </div>
  )
}
