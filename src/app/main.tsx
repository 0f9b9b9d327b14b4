import './app.css'
import { createRoot } from 'react-dom/client'
import { createBrowserRouter } from 'react-router-dom'
import type { Contract } from '../contract/contract.ts'
import { App } from './App.tsx'
import { addInterceptors } from './interceptors.ts'
import { loadShell } from './loadShell.ts'
import { makeQueries } from './queries.ts'
import { routesOf } from './routes.tsx'
import { startSession } from './signIn/session.ts'
import { followTabs } from './signIn/tabs.ts'
import { stored } from './storage.ts'
import { Unreachable } from './Unreachable.tsx'

const root = createRoot(document.getElementById('root')!)

async function readContract(): Promise<Contract> {
  const address = document.querySelector<HTMLMetaElement>('meta[name=contract]')?.content
  if (!address) throw new Error('The page does not name its contract')
  const reply = await fetch(address)
  if (!reply.ok) throw new Error(`${address} answers ${reply.status}`)
  return reply.json()
}

async function start(): Promise<void> {
  // Meanwhile the part behind sign-in is on its way too.
  if (stored('token') !== null) loadShell().catch(() => undefined)
  const contract = await readContract()
  const development = __DEV__ ? await import('./develop.tsx') : undefined
  const queries = makeQueries()
  const router = createBrowserRouter((development?.developmentRoutes ?? routesOf)(contract))
  const render = (currentContract: Contract) =>
    root.render(<App contract={currentContract} queries={queries} router={router} />)
  addInterceptors(contract)
  followTabs(contract)
  startSession(contract)
  render(contract)
  development?.develop(router, contract, render)
}

start().catch((error) => {
  console.error(error)
  root.render(<Unreachable onRetry={() => location.reload()} />)
})
