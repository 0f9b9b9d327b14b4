import { replaceEqualDeep } from '@tanstack/react-query'
import type { createBrowserRouter, RouteObject } from 'react-router-dom'
import type { Contract } from '../contract/contract.ts'
import { loadable } from '../engine/core/loadable.tsx'
import { connectDev } from './core/dev.ts'
import { routesOf, screenAt } from './routes.tsx'

const Preview = loadable(() => import('../engine/preview/Preview.tsx'))

/** The routes of a contract, and that of the page that previews the engine's components. */
export function developmentRoutes(contract: Contract): RouteObject[] {
  const element = <Preview />
  return [{ path: '/preview/*', element }, ...routesOf(contract)]
}

/** Hot reload for development: renders a changed screen at once without losing input; shows errors over the page. */
export function develop(
  router: ReturnType<typeof createBrowserRouter>,
  first: Contract,
  render: (contract: Contract) => void,
): void {
  let currentContract = first
  let latestAddress = document.querySelector<HTMLMetaElement>('meta[name=contract]')?.content
  const swap = async (address: string) => {
    if (address === latestAddress) return
    latestAddress = address
    const fresh: Contract = await (await fetch(address)).json()
    // A later change has superseded this one.
    if (address !== latestAddress) return
    const { pathname, search, hash, state } = router.state.location
    const moved = screenAt(currentContract, pathname) !== screenAt(fresh, pathname)
    // Equal parts keep their object identity, so that memoised values stay valid.
    currentContract = replaceEqualDeep(currentContract, fresh)
    // A private API, but the only way to change routes without a reload; other hot reloading uses it too.
    router._internalSetRoutes(developmentRoutes(currentContract))
    render(currentContract)
    if (moved) router.navigate({ pathname, search, hash }, { replace: true, state })
  }
  connectDev({ onScreen: (data) => swap((data as { address: string }).address), onFail: showFailure })
}

function showFailure(text: string | null): void {
  const before = document.getElementById('failure')
  if (before?.textContent === text) return
  before?.remove()
  if (text === null) return
  const overlay = document.createElement('pre')
  overlay.id = 'failure'
  overlay.className = 'failure'
  overlay.setAttribute('role', 'alert')
  overlay.textContent = text
  document.body.append(overlay)
}
