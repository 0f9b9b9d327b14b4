import { Button } from '@blueprintjs/core'
import type { ReactNode } from 'react'
import { matchRoutes, Navigate, Outlet, type RouteObject, useLocation, useParams } from 'react-router-dom'
import { allows, landing } from '../contract/access.ts'
import { fillPath } from '../contract/call.ts'
import type { Contract } from '../contract/contract.ts'
import type { CustomScreen, DetailScreen, Screen } from '../contract/generated.ts'
import { useContract } from '../engine/core/contract.ts'
import { loadable } from '../engine/core/loadable.tsx'
import { useDocumentTitle } from '../engine/core/pageContext.ts'
import { useUser } from '../engine/core/user.ts'
import { branding } from './core/branding.ts'
import { loadShell } from './core/loadShell.ts'
import { MESSAGES } from './core/messages.ts'
import { routerPath } from './core/routerPath.ts'
import { signOut, startSession, useSession } from './core/session.ts'
import { custom } from './custom.ts'
import { PublicFrame } from './PublicFrame.tsx'
import { RequireSession, Shell } from './signIn/RequireSession.tsx'
import { SignedOut } from './signIn/SignedOut.tsx'
import { Starting } from './signIn/Starting.tsx'
import { Unreachable } from './Unreachable.tsx'

const LazyScreen = loadable(async () => ({ default: (await loadShell()).Screen }))
const NotFound = loadable(async () => ({ default: (await loadShell()).NotFound }))
const Setup = loadable(() => import('./signIn/Setup.tsx'))

/** A screen that needs no session: a custom screen or a public form. */
type Open = Partial<CustomScreen>

/** The routes of a contract's screens; the tabs of a detail are its child routes. */
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

const FOR_THE_PUBLIC = ['publicForm', 'referralStatus']

function openRoute(screen: Screen): RouteObject {
  const { component = 'publicForm', signedOut } = screen as Open
  const Page = custom[component]
  const page = <Page screen={screen} />
  const element = FOR_THE_PUBLIC.includes(component) ? <PublicFrame>{page}</PublicFrame> : page
  return { path: routerPath(screen), element: open(screen.title, element, signedOut === 'also') }
}

const open = (title: string, page: ReactNode, also = false) => (
  <SignedOut title={title} also={also}>
    {page}
  </SignedOut>
)

function routesOfScreen(name: string, screens: Contract['screens']): RouteObject[] {
  const screen = screens[name]
  const path = routerPath(screen)
  const element = (
    <RequireRole screen={name}>
      <LazyScreen name={name} />
    </RequireRole>
  )
  if (screen.kind !== 'detail') return [{ path, element }]
  const children = screen.tabs.flatMap((tab) => routesOfScreen(tab, screens))
  // A sibling of the detail's route, not a child, so that the redirect to the first tab does not wait for the record.
  return [
    { path, element: <FirstTab screen={name} /> },
    { path, element, children },
  ]
}

export function screenAt(contract: Contract, address: string): string | undefined {
  return matchScreen(contract, address)?.route.id
}

/** The screen at an address, as a matched route whose id is the screen's name, with its path parameters. */
export function matchScreen({ screens }: Contract, address: string) {
  const routes = Object.entries(screens).map(([id, screen]) => ({ id, path: routerPath(screen) }))
  return matchRoutes(routes, address)?.[0]
}

/**
 * Preloads the code of the page at an address behind sign-in, so that it renders without a placeholder. A failure is
 * ignored here and reported when the page is rendered.
 */
export async function preloadPage(contract: Contract, address: string): Promise<void> {
  // For most users the dashboard redirects to a list.
  const kind = contract.screens[screenAt(contract, address) ?? '']?.kind ?? 'list'
  try {
    const [{ preloadKind }] = await Promise.all([loadShell(), Shell.preload(), LazyScreen.preload()])
    await preloadKind(kind)
  } catch {
    // See above.
  }
}

/** Renders a screen if the user's roles allow it; otherwise redirects to their dashboard. */
function RequireRole({ screen, children }: { screen: string; children: ReactNode }) {
  const { roles, screens } = useContract()
  const { groups } = useUser()
  const { pathname } = useLocation()
  if (allows(roles, screens[screen]?.roles, groups)) return children
  // Not even the landing page is allowed, so a redirect would loop.
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

/** The error page if rendering failed, most often because a newer release has replaced this one. */
function CrashPage() {
  return (
    <main className="front">
      <h1>{branding().product}</h1>
      <p role="alert">This page could not be shown.</p>
      <Button text="Load it again" intent="primary" onClick={() => location.reload()} />
    </main>
  )
}

/** Redirects from a detail's own address to that of its first tab. */
function FirstTab({ screen }: { screen: string }) {
  const { screens } = useContract()
  const params = useParams()
  const { search, hash } = useLocation()
  const [first] = (screens[screen] as DetailScreen).tabs
  return <Navigate to={fillPath(screens[first].route, params) + search + hash} replace />
}

/** Redirects from /dashboard to the landing page of the user's first role. */
function Landing() {
  const { roles } = useContract()
  const { groups } = useUser()
  return <Navigate to={landing(roles, groups)} replace />
}

/** Renders the page once the session is known. */
function Root() {
  const contract = useContract()
  const { state } = useSession()
  if (state === 'starting') return <Starting />
  if (state === 'failed')
    return <Unreachable onRetry={() => startSession(contract)} onSignOut={() => signOut(contract)} />
  return <Outlet />
}
