import { Button } from '@blueprintjs/core'
import type { ReactNode } from 'react'
import { matchRoutes, Navigate, Outlet, type RouteObject, useLocation, useParams } from 'react-router-dom'
import { allows, landing } from '../contract/access.ts'
import { fillPath } from '../contract/call.ts'
import type { Contract } from '../contract/contract.ts'
import type { CustomScreen, DetailScreen, Screen } from '../contract/generated.ts'
import { loadable } from '../engine/page/loadable.tsx'
import { useDocumentTitle } from '../engine/page/pageContext.ts'
import { useContract } from '../engine/runtime/contract.ts'
import { useUser } from '../engine/runtime/user.ts'
import { branding } from './branding.ts'
import { custom } from './custom.ts'
import { loadShell } from './loadShell.ts'
import { MESSAGES } from './messages.ts'
import { Starting } from './Starting.tsx'
import { RequireSession, Shell } from './signIn/RequireSession.tsx'
import { SignedOut } from './signIn/SignedOut.tsx'
import { signOut, startSession, useSession } from './signIn/session.ts'
import { Unreachable } from './Unreachable.tsx'

const LazyScreen = loadable(async () => ({ default: (await loadShell()).Screen }))
const NotFound = loadable(async () => ({ default: (await loadShell()).NotFound }))
const Setup = loadable(() => import('./signIn/Setup.tsx'))

/** A screen for people who are not signed in too: a custom one, or a public form. */
type Open = Partial<CustomScreen>

/** Every screen of a contract as a route of the router; the tabs of a detail lie within it. */
export function routesOf({ screens }: Contract): RouteObject[] {
  const named = Object.entries(screens)
  const tabs = new Set(named.flatMap(([, screen]) => (screen.kind === 'detail' ? screen.tabs : [])))
  const isOpen = (screen: Screen) => (screen as Open).signedOut !== undefined
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
  const { component = 'publicForm', signedOut } = screen as Open
  const Page = custom[component]
  return { path: pathOf(screen), element: open(screen.title, <Page screen={screen} />, signedOut === 'also') }
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

/** The name of the screen that an address shows. */
export function screenAt(contract: Contract, address: string): string | undefined {
  return matchScreen(contract, address)?.route.id
}

/** The screen that an address shows, as a route whose id is its name, with the values of the address. */
export function matchScreen({ screens }: Contract, address: string) {
  const routes = Object.entries(screens).map(([id, screen]) => ({ id, path: pathOf(screen) }))
  return matchRoutes(routes, address)?.[0]
}

/**
 * Fetches the code of the page at an address behind sign-in, before it is rendered: then it is rendered at once, without
 * something in its place first. What cannot be had is said to be missing once it is rendered.
 */
export async function preloadPage(contract: Contract, address: string): Promise<void> {
  // The dashboard leads to a list, for most people.
  const kind = contract.screens[screenAt(contract, address) ?? '']?.kind ?? 'list'
  try {
    const [{ preloadKind }] = await Promise.all([loadShell(), Shell.preload(), LazyScreen.preload()])
    await preloadKind(kind)
  } catch {
    // See above.
  }
}

/** The router's way to write an address; a wizard's last part is its step. */
export function pathOf({ kind, route }: Screen): string {
  const path = route.replaceAll(/\{(\w+)\}/g, ':$1')
  return kind === 'wizard' ? `${path}/:step?` : path
}

/** A screen for those whose roles allow it; others go to their dashboard. */
function RequireRole({ screen, children }: { screen: string; children: ReactNode }) {
  const { roles, screens } = useContract()
  const { groups } = useUser()
  const { pathname } = useLocation()
  if (allows(roles, screens[screen]?.roles, groups)) return children
  // Nowhere is left to go where not even the landing page is allowed.
  if (landing(roles, groups) === pathname) return <NoRole />
  return <Navigate to="/dashboard" replace />
}

function NoRole() {
  useDocumentTitle('No access yet')
  return (
    <>
      <h1 className="heading">No access yet</h1>
      <p>{MESSAGES.noRole}</p>
    </>
  )
}

/** In place of everything where drawing failed, most often because a newer version has replaced this one. */
function CrashPage() {
  return (
    <main className="front">
      <h1>{branding().product}</h1>
      <p role="alert">This page could not be shown.</p>
      <Button text="Load it again" intent="primary" onClick={() => location.reload()} />
    </main>
  )
}

/** Leads from a detail's own address to that of its first tab. */
function FirstTab({ screen }: { screen: string }) {
  const { screens } = useContract()
  const params = useParams()
  const { search, hash } = useLocation()
  const [first] = (screens[screen] as DetailScreen).tabs
  return <Navigate to={fillPath(screens[first].route, params) + search + hash} replace />
}

/** Leads from /dashboard to where the person's first role lands. */
function Landing() {
  const { roles } = useContract()
  const { groups } = useUser()
  return <Navigate to={landing(roles, groups)} replace />
}

/** Draws the page once it is known who is signed in. */
function Root() {
  const contract = useContract()
  const { state } = useSession()
  if (state === 'starting') return <Starting />
  if (state === 'failed')
    return <Unreachable onRetry={() => startSession(contract)} onSignOut={() => signOut(contract)} />
  return <Outlet />
}
