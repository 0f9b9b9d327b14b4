import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { Outlet, useLocation } from 'react-router-dom'
import { BesidePanel } from '../engine/page/BesidePanel.tsx'
import { preloadDialogs } from '../engine/page/Dialog.tsx'
import { useFocusTracking } from '../engine/page/focusTracking.ts'
import { preloadKinds } from '../engine/registry.ts'
import { useContract } from '../engine/runtime/contract.ts'
import { Header } from './header/Header.tsx'
import { useHeadingFocus } from './headingFocus.ts'
import { reloadOutdated } from './newRelease.ts'
import { onceIdle } from './onceIdle.ts'
import { SideNav } from './SideNav.tsx'
import { IdleWarning } from './signIn/IdleWarning.tsx'
import { subscribeToVersions } from './versionEvents.ts'

// Exported from the same chunk, to save one more request.
export { Screen } from '../engine/page/Screen.tsx'
export { preloadKind } from '../engine/registry.ts'
export { NotFound } from './NotFound.tsx'

/** Dialogs are fetched so much later, in ms, on pages that never end reading too. */
const DIALOGS_AFTER = 3000

/** What stands around every page of a person who is signed in. */
export default function Shell() {
  const { pathname } = useLocation()
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
    const timer = setTimeout(preloadDialogs, DIALOGS_AFTER)
    return () => clearTimeout(timer)
  }, [])
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
