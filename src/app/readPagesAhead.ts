import type { QueryClient } from '@tanstack/react-query'
import type { createBrowserRouter, Location } from 'react-router-dom'
import { allows } from '../contract/access.ts'
import type { Contract } from '../contract/contract.ts'
import { readAhead } from '../engine/core/readAhead.ts'
import { currentSession } from './core/session.ts'
import { matchScreen } from './routes.tsx'

/** Prefetches the records of a page on navigation, so that the server works while the page is rendered. */
export function readPagesAhead(
  router: ReturnType<typeof createBrowserRouter>,
  contract: Contract,
  queries: QueryClient,
): void {
  let { pathname } = router.state.location
  router.subscribe(({ location }) => {
    if (location.pathname === pathname) return
    pathname = location.pathname
    readPage(contract, queries, location)
  })
}

/** Prefetches the reads of the screen at an address, of the detail around it and of its first tab, as roles allow. */
function readPage(contract: Contract, queries: QueryClient, { pathname, search }: Location): void {
  const { screens, roles } = contract
  const { user } = currentSession()
  const match = matchScreen(contract, pathname)
  if (!user || !match) return
  const { id: name } = match.route
  const screen = screens[name]
  const around = Object.values(screens).filter((one) => one.kind === 'detail' && one.tabs.includes(name))
  const within = screen.kind === 'detail' ? [screens[screen.tabs[0]]] : []
  const roots = { params: match.params, user, query: Object.fromEntries(new URLSearchParams(search)) }
  for (const one of [...around, screen, ...within])
    if (allows(roles, one.roles, user.groups)) readAhead(contract, queries, one, roots)
}
