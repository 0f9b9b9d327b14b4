import './core/messageLog.ts'
import { OverlaysProvider } from '@blueprintjs/core'
import { type QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { type ComponentProps, useEffect, useRef, useState } from 'react'
import { RouterProvider } from 'react-router-dom'
import type { Contract } from '../contract/contract.ts'
import { useReachable, watchConnection } from '../engine/core/connection.ts'
import { ContractContext } from '../engine/core/contract.ts'
import { CustomContext } from '../engine/core/custom.ts'
import { loadable } from '../engine/core/loadable.tsx'
import { subscribeToNotices } from '../engine/core/notices.ts'
import { PageContext, type PageInfo } from '../engine/core/pageContext.ts'
import type { User } from '../engine/core/user.ts'
import { branding } from './core/branding.ts'
import { MESSAGES } from './core/messages.ts'
import { renewUser, useSession } from './core/session.ts'
import { custom } from './custom.ts'

// If the chunk fails to load, there are no toasts.
const Toasts = loadable(() => import('./Toasts.tsx').catch(() => ({ default: () => null })))
/** Delay in ms before the toasts are loaded, unless a notice comes first. By then the server may be unreachable. */
const TOASTS_DELAY_MS = 2000

type Router = ComponentProps<typeof RouterProvider>['router']

const OUTERMOST: PageInfo = { titles: [branding().product], inside: false }

/** The whole page: the router inside the context providers. */
export function App({
  contract,
  queries,
  router,
}: {
  contract: Contract
  queries: QueryClient
  router: Router
}) {
  const { user, covered } = useSession()
  // Clear the cache after sign-out, so that the next user does not see it; not on load, when a public page may read.
  const owner = user ?? covered
  const before = useRef(owner)
  useEffect(() => {
    if (before.current && !owner) queries.clear()
    before.current = owner
  }, [owner, queries])
  // Queries that failed while the page was covered are refetched.
  const isCovered = covered !== undefined
  useEffect(() => {
    if (isCovered) return () => void queries.invalidateQueries()
  }, [isCovered, queries])
  useEffect(watchConnection, [])
  useEffect(
    () =>
      queries.getQueryCache().subscribe(({ type, query }) => {
        const [kind, call] = query.queryKey
        const isMe = type === 'updated' && kind === 'call' && call === 'auth.me'
        if (isMe && query.state.data) renewUser(query.state.data as User)
      }),
    [queries],
  )
  return (
    <ContractContext value={contract}>
      <QueryClientProvider client={queries}>
        <CustomContext value={custom}>
          <PageContext value={OUTERMOST}>
            <OverlaysProvider>
              <RouterProvider router={router} />
              <LaterToasts />
              <ConnectionBar />
            </OverlaysProvider>
          </PageContext>
        </CustomContext>
      </QueryClientProvider>
    </ContractContext>
  )
}

/** Loads the toasts late, because the first render does not need them. */
function LaterToasts() {
  const [isDue, setDue] = useState(false)
  useEffect(() => {
    const begin = () => setDue(true)
    const timer = setTimeout(begin, TOASTS_DELAY_MS)
    const unsubscribe = subscribeToNotices(begin)
    return () => {
      clearTimeout(timer)
      unsubscribe()
    }
  }, [])
  return isDue && <Toasts />
}

/** A single lost request, such as an upload that was cut off, shows no bar if the server replies within this time. */
const SHOWN_AFTER_MS = 300

/** The bar at the foot of every page while the server cannot be reached. */
function ConnectionBar() {
  const isReachable = useReachable()
  const [isShown, setShown] = useState(false)
  useEffect(() => {
    if (isReachable) return setShown(false)
    const timer = setTimeout(() => setShown(true), SHOWN_AFTER_MS)
    return () => clearTimeout(timer)
  }, [isReachable])
  return (
    <div className="connection-bar" role="status">
      {isShown && MESSAGES.noConnection}
    </div>
  )
}
