import { QueryClientProvider } from '@tanstack/react-query'
import { render } from '@testing-library/react'
import type { ReactNode } from 'react'
import { createMemoryRouter, Outlet, type RouteObject, RouterProvider } from 'react-router-dom'
import { onTestFinished } from 'vitest'
import { makeQueries } from '../../src/app/core/queries.ts'
import type { Contract } from '../../src/contract/contract.ts'
import type { Screen as Described } from '../../src/contract/generated.ts'
import { ContractContext } from '../../src/engine/core/contract.ts'
import { useFocusTracking } from '../../src/engine/core/focusTracking.ts'
import { type Notice, subscribeToNotices } from '../../src/engine/core/notices.ts'
import { type User, UserContext } from '../../src/engine/core/user.ts'
import { kinds } from '../../src/engine/registry.ts'
import { Screen } from '../../src/engine/Screen.tsx'
import { contract as boats } from './boats.ts'

/** A signed-in user with these role ids. */
export const person = (groups: number[] = [1], id = 7): User => ({
  id,
  username: `user${id}`,
  first_name: 'Ann',
  last_name: 'Smith',
  groups,
  status: 1,
})

interface Options {
  /** Default: the contract of the boats. */
  contract?: Contract
  person?: User
  /** The `staleTime` of queries in ms. */
  staleTime?: number
  /** Rendered below every page, such as a link that leaves it. */
  beside?: ReactNode
  /** Further routes. Every other address renders 'Another page'. */
  more?: RouteObject[]
}

/** Opens screens at an address; the tabs of a detail are its child routes, as in the app. */
export async function open(screens: Record<string, object>, at: string, options: Options = {}) {
  const all = screens as Record<string, Described>
  const tabs = new Set(Object.values(all).flatMap((one) => (one.kind === 'detail' ? one.tabs : [])))
  const routeOf = (name: string): RouteObject => ({
    path: pathOf(all[name]),
    element: <Screen name={name} />,
    children: all[name].kind === 'detail' ? all[name].tabs.map(routeOf) : [],
  })
  // Screens are lazy-loaded; preload them so that no test has to wait.
  for (const { kind } of Object.values(all))
    if (kind !== 'custom' && kind !== 'publicForm') await kinds[kind].preload()
  const routes = Object.keys(all)
    .filter((name) => !tabs.has(name))
    .map(routeOf)
  const base = options.contract ?? boats
  const contract = { ...base, screens: { ...base.screens, ...all } }
  return openRoutes(routes, at, { ...options, contract })
}

function pathOf({ kind, route }: Described): string {
  const path = route.replaceAll(/\{(\w+)\}/g, ':$1')
  return kind === 'wizard' ? `${path}/:step?` : path
}

/** Renders an element on a page of its own, with the contexts of a screen. */
export function openElement(
  element: ReactNode,
  { path = '/', at = '/', ...options }: Options & { path?: string; at?: string } = {},
) {
  return openRoutes([{ path, element }], at, options)
}

function openRoutes(routes: RouteObject[], at: string, options: Options) {
  const { contract = boats, person: user = person(), beside, more = [], staleTime = 30_000 } = options
  const router = createMemoryRouter(
    [
      {
        element: <Page beside={beside} />,
        children: [...routes, ...more, { path: '*', element: <p>Another page</p> }],
      },
    ],
    { initialEntries: [at] },
  )
  const client = makeQueries()
  const { queries, mutations } = client.getDefaultOptions()
  client.setDefaultOptions({ queries: { ...queries, retry: false, staleTime }, mutations })
  const notices: Notice[] = []
  onTestFinished(subscribeToNotices((notice) => notices.push(notice)))
  const view = render(
    <ContractContext value={contract}>
      <QueryClientProvider client={client}>
        <UserContext value={user}>
          <RouterProvider router={router} />
        </UserContext>
      </QueryClientProvider>
    </ContractContext>,
  )
  const address = () => router.state.location.pathname + router.state.location.search
  return { ...view, router, client, address, notices }
}

function Page({ beside }: { beside: ReactNode }) {
  useFocusTracking()
  return (
    <>
      <Outlet />
      {beside}
    </>
  )
}
