import type { ReactNode } from 'react'
import { Navigate, type RouteObject } from 'react-router-dom'
import type { Contract } from '../contract/contract.ts'
import type { CustomScreen as Custom, Screen } from '../contract/generated.ts'
import { loadable } from '../engine/page/loadable.tsx'
import { CrashPage } from './CrashPage.tsx'
import { custom } from './custom.ts'
import { FirstTab } from './FirstTab.tsx'
import { Landing } from './Landing.tsx'
import { loadShell } from './loadShell.ts'
import { RequireRole } from './RequireRole.tsx'
import { Root } from './Root.tsx'
import { RequireSession } from './signIn/RequireSession.tsx'
import { SignedOut } from './signIn/SignedOut.tsx'

const LazyScreen = loadable(async () => ({ default: (await loadShell()).Screen }))
const NotFound = loadable(async () => ({ default: (await loadShell()).NotFound }))
const Setup = loadable(() => import('./signIn/Setup.tsx'))

/** Every screen of a contract as a route of the router; the tabs of a detail lie within it. */
export function routesOf({ screens }: Contract): RouteObject[] {
  const named = Object.entries(screens)
  const tabs = new Set(named.flatMap(([, screen]) => (screen.kind === 'detail' ? screen.tabs : [])))
  const isOpen = (screen: Screen) => screen.kind === 'custom' && screen.signedOut !== undefined
  const signedIn = named.filter(([name, screen]) => !tabs.has(name) && !isOpen(screen))
  const children: RouteObject[] = [
    { path: '/', element: <Navigate to="/login" replace /> },
    { path: '/setup/:token', element: open('Set up', <Setup />) },
    ...named.filter(([, screen]) => isOpen(screen)).map(([, screen]) => openRoute(screen)),
    {
      element: <RequireSession />,
      children: [
        { path: '/dashboard', element: <Landing /> },
        ...signedIn.flatMap(([name]) => routesOfScreen(name, screens)),
        { path: '*', element: <NotFound /> },
      ],
    },
  ]
  return [{ element: <Root />, errorElement: <CrashPage />, children }]
}

function openRoute(screen: Screen): RouteObject {
  const { component, signedOut } = screen as Custom
  const Page = custom[component]
  return { path: pathOf(screen), element: open(screen.title, <Page />, signedOut === 'also') }
}

const open = (title: string, page: ReactNode, also = false) => (
  <SignedOut title={title} also={also}>
    {page}
  </SignedOut>
)

function routesOfScreen(name: string, screens: Contract['screens']): RouteObject[] {
  const screen = screens[name]
  const path = pathOf(screen)
  const element = (
    <RequireRole screen={name}>
      <LazyScreen name={name} />
    </RequireRole>
  )
  if (screen.kind !== 'detail') return [{ path, element }]
  const children = screen.tabs.flatMap((tab) => routesOfScreen(tab, screens))
  // Beside the detail, not within: the way to the first tab does not wait for the record.
  return [
    { path, element: <FirstTab screen={name} /> },
    { path, element, children },
  ]
}

/** The router's way to write an address; a wizard's last part is its step. */
export function pathOf({ kind, route }: Screen): string {
  const path = route.replaceAll(/\{(\w+)\}/g, ':$1')
  return kind === 'wizard' ? `${path}/:step?` : path
}
