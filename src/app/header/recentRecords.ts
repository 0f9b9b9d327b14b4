import { useEffect } from 'react'
import { matchRoutes, useLocation } from 'react-router-dom'
import type { Contract } from '../../contract/contract.ts'
import type { DetailScreen } from '../../contract/generated.ts'
import { useBreadcrumbs } from '../../engine/page/breadcrumbs.ts'
import { useContract } from '../../engine/runtime/contract.ts'
import { entityOf } from '../../engine/runtime/entityOf.ts'
import { useUser } from '../../engine/runtime/user.ts'
import { currentSession, subscribeToSession } from '../signIn/session.ts'
import { store, stored } from '../storage.ts'

const MOST = 10

// Names of people stay in this page's memory: only addresses are stored on the device.
const names = new Map<string, string>()

// Whoever signs out leaves none of it behind.
subscribeToSession(() => {
  const { state, user, lastUser } = currentSession()
  // A page that has just been loaded does not know yet who is signed in.
  if (user || state !== 'ready') return
  names.clear()
  if (lastUser !== undefined) store('recent', null, lastUser)
})

/** Remembers the records that are opened, the newest first. */
export function useRecentRecords(): void {
  const contract = useContract()
  const { id: user } = useUser()
  const page = useBreadcrumbs().at(-1)
  const { pathname } = useLocation()
  useEffect(() => {
    // Breadcrumbs of the page before stand until the next one is read.
    if (!page?.to || !`${pathname}/`.startsWith(`${page.to}/`) || !detailAt(contract, page.to)) return
    names.set(page.to, page.label)
    const others = addresses(user).filter((to) => to !== page.to)
    store('recent', JSON.stringify([page.to, ...others].slice(0, MOST)), user)
  }, [contract, user, page, pathname])
}

/** The records that a person has opened last in this browser. */
export function recentRecords(contract: Contract, user: number): { to: string; label: string }[] {
  return addresses(user).flatMap((to) => {
    const found = detailAt(contract, to)
    if (!found) return []
    return { to, label: names.get(to) ?? `${entityOf(contract, found.screen.read).title} ${found.id}` }
  })
}

function detailAt({ screens }: Contract, to: string) {
  const details = Object.values(screens).filter((one): one is DetailScreen => one.kind === 'detail')
  const routes = details.map(({ route }, i) => ({
    id: String(i),
    path: route.replaceAll(/\{(\w+)\}/g, ':$1'),
  }))
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
