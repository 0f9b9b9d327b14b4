import { createRoot } from 'react-dom/client'
import { createBrowserRouter } from 'react-router-dom'
import type { Contract } from '../contract/contract.ts'
import { App } from './App.tsx'
import { applyAccent } from './core/branding.ts'
import { addInterceptors } from './core/interceptors.ts'
import { loadShell } from './core/loadShell.ts'
import { makeQueries } from './core/queries.ts'
import { startSession } from './core/session.ts'
import { stored } from './core/storage.ts'
import { followTabs } from './core/tabs.ts'
import { readPagesAhead } from './readPagesAhead.ts'
import { preloadPage, routesOf } from './routes.tsx'
import { Unreachable } from './Unreachable.tsx'

async function readContract(): Promise<Contract> {
  const address = document.querySelector<HTMLMetaElement>('meta[name=contract]')?.content
  if (!address) throw new Error('The page does not name its contract')
  const reply = await fetch(address)
  if (!reply.ok) throw new Error(`${address} answers ${reply.status}`)
  return reply.json()
}

async function run(root: ReturnType<typeof createRoot>): Promise<void> {
  applyAccent()
  const isSignedIn = stored('token') !== null
  // Load the code behind sign-in in parallel.
  if (isSignedIn) loadShell().catch(() => undefined)
  const contract = await readContract()
  if (isSignedIn) void preloadPage(contract, location.pathname)
  const development = __DEV__ ? await import('./develop.tsx') : undefined
  const queries = makeQueries()
  const router = createBrowserRouter((development?.developmentRoutes ?? routesOf)(contract))
  const render = (currentContract: Contract) =>
    root.render(<App contract={currentContract} queries={queries} router={router} />)
  addInterceptors(contract)
  followTabs(contract)
  readPagesAhead(router, contract, queries)
  startSession(contract)
  render(contract)
  development?.develop(router, contract, render)
}

export function start(): void {
  const root = createRoot(document.getElementById('root')!)
  run(root).catch((error) => {
    console.error(error)
    root.render(<Unreachable onRetry={() => location.reload()} />)
  })
}
