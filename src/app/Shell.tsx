import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { Outlet, useLocation } from 'react-router-dom'
import { useContract } from '../engine/contract.ts'
import { preloadDialogs } from '../engine/Dialog.tsx'
import { useFocusTracking } from '../engine/focusTracking.ts'
import { preloadKinds } from '../engine/registry.ts'
import { DashboardMenu } from './DashboardMenu.tsx'
import { Header } from './header/Header.tsx'
import { useHeadingFocus } from './headingFocus.ts'
import { hearNews } from './news.ts'
import { SideNav } from './SideNav.tsx'
import { SkipLink } from './SkipLink.tsx'
import { IdleWarning } from './signIn/IdleWarning.tsx'

// In the same part of the program as what surrounds them: one more to fetch would be one more to wait for.
export { Screen } from '../engine/Screen.tsx'
export { NotFound } from './NotFound.tsx'

/** What is not needed at once is fetched so much later, in ms. */
const AFTER = 3000

/** Calls back once the browser has nothing to do, or after a second where it cannot tell; the reply gives that up. */
function whenIdle(callback: () => void): () => void {
  if (typeof requestIdleCallback === 'function') {
    const handle = requestIdleCallback(callback, { timeout: AFTER })
    return () => cancelIdleCallback(handle)
  }
  const timer = setTimeout(callback, 1000)
  return () => clearTimeout(timer)
}

/** What stands around every page of a person who is signed in. */
export default function Shell() {
  const { pathname } = useLocation()
  useHeadingFocus(pathname)
  useFocusTracking()
  const contract = useContract()
  const queries = useQueryClient()
  useEffect(() => hearNews(contract, queries), [contract, queries])
  useEffect(() => {
    const timer = setTimeout(preloadDialogs, AFTER)
    const forget = whenIdle(preloadKinds)
    return () => {
      clearTimeout(timer)
      forget()
    }
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
