import { lazy, Suspense } from 'react'
import type { createBrowserRouter, RouteObject } from 'react-router-dom'
import type { Contract } from '../contract/contract.ts'
import { connectDev } from './dev.ts'
import { routesOf } from './routes.tsx'

const Preview = lazy(() => import('../engine/preview/Preview.tsx'))

/** The routes of a contract, and that of the page with everything the engine draws. */
export function developmentRoutes(contract: Contract): RouteObject[] {
  const element = (
    <Suspense fallback={null}>
      <Preview />
    </Suspense>
  )
  return [{ path: '/preview/*', element }, ...routesOf(contract)]
}

/** While developing: a changed screen is drawn at once, with what was typed kept; a mistake is shown over the page. */
export function develop(
  router: ReturnType<typeof createBrowserRouter>,
  draw: (contract: Contract) => void,
): void {
  const swap = async (address: string) => {
    const contract: Contract = await (await fetch(address)).json()
    // Not public, and the only way to change routes without loading the page; hot reloading in general goes it too.
    router._internalSetRoutes(developmentRoutes(contract))
    draw(contract)
    const { pathname, search, hash } = router.state.location
    // An address that led nowhere may lead to a new screen now.
    if (router.state.matches.some(({ route }) => route.path === '*'))
      router.navigate(pathname + search + hash, { replace: true })
  }
  connectDev({ onScreen: (data) => swap((data as { address: string }).address), onFail: showFailure })
}

function showFailure(text: string | null): void {
  document.getElementById('failure')?.remove()
  if (text === null) return
  const shown = document.createElement('pre')
  shown.id = 'failure'
  shown.className = 'failure'
  shown.setAttribute('role', 'alert')
  shown.textContent = text
  document.body.append(shown)
}
