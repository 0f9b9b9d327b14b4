import { useEffect } from 'react'
import { matchRoutes, useLocation } from 'react-router-dom'
import type { Contract } from '../../contract/contract.ts'
import type { DetailScreen } from '../../contract/generated.ts'
import type { RecentTitle } from '../../contract/types/entities.ts'
import { useBreadcrumbs } from '../../engine/core/breadcrumbs.ts'
import { useRead } from '../../engine/core/calls.ts'
import { useContract } from '../../engine/core/contract.ts'
import { entityOf } from '../../engine/core/entityOf.ts'
import { fillTemplate } from '../../engine/core/fillTemplate.ts'
import { useUser } from '../../engine/core/user.ts'
import { routerPath } from '../core/routerPath.ts'
import { currentSession, subscribeToSession } from '../core/session.ts'
import { store, stored } from '../core/storage.ts'

const MAX_RECORDS = 10

// Names of people are only in memory; localStorage has only addresses.
const names = new Map<string, string>()

// Clear the recent records at sign-out.
subscribeToSession(() => {
  const { state, user, lastUser } = currentSession()
  // While the page starts, the user is not known yet.
  if (user || state !== 'ready') return
  names.clear()
  if (lastUser !== undefined) store('recent', null, lastUser)
})

/** Stores the addresses of opened records, newest first. */
export function useRecentRecords(): void {
  const contract = useContract()
  const { id: user } = useUser()
  const page = useBreadcrumbs().at(-1)
  const { pathname } = useLocation()
  useEffect(() => {
    // The breadcrumbs are those of the previous page until the next record is loaded.
    if (!page?.to || !`${pathname}/`.startsWith(`${page.to}/`) || !detailAt(contract, page.to)) return
    names.set(page.to, page.label)
    const others = addresses(user).filter((to) => to !== page.to)
    store('recent', JSON.stringify([page.to, ...others].slice(0, MAX_RECORDS)), user)
  }, [contract, user, page, pathname])
}

/**
 * The records that a user opened recently in this browser, newest first. After a reload their names are fetched from
 * the server.
 */
export function useRecentList(): { to: string; label: string }[] {
  const contract = useContract()
  const { id: user } = useUser()
  const opened = addresses(user).flatMap((to) => ({ to, found: detailAt(contract, to) }))
  const unnamed = opened.filter(({ to, found }) => found && !names.has(to)).map(({ to }) => to)
  const call = unnamed.length > 0 ? 'search.recent' : undefined
  const { data = [] } = useRead<RecentTitle[]>(call, { query: { addresses: unnamed.join(',') } })
  return opened.flatMap(({ to, found }) => {
    if (!found) return []
    const { screen, id } = found
    const values = data.find(({ address }) => address === to)?.values
    const title = values && fillTemplate(screen.title, values).trim()
    return { to, label: names.get(to) ?? (title || `${entityOf(contract, screen.read).title} ${id}`) }
  })
}

function detailAt({ screens }: Contract, to: string) {
  const details = Object.values(screens).filter((one): one is DetailScreen => one.kind === 'detail')
  const routes = details.map((screen, i) => ({ id: String(i), path: routerPath(screen) }))
  const [match] = matchRoutes(routes, to) ?? []
  return match && { screen: details[Number(match.route.id)], id: match.params.id }
}

function addresses(user: number): string[] {
  try {
    const found = JSON.parse(stored('recent', user) ?? '[]')
    return Array.isArray(found) ? found.filter((one) => typeof one === 'string') : []
  } catch {
    return []
  }
}
