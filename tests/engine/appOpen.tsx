import './patience.ts'
import { cleanup, render } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { createMemoryRouter } from 'react-router-dom'
import { afterEach, beforeEach } from 'vitest'
import { App } from '../../src/app/App.tsx'
import { addInterceptors } from '../../src/app/interceptors.ts'
import { makeQueries } from '../../src/app/queries.ts'
import { routesOf } from '../../src/app/routes.tsx'
import { clearEnding, clearSession, startSession } from '../../src/app/signIn/session.ts'
import { type Answers, contract, person, serve } from './appFake.ts'

/** The reply of a list without rows. */
export const NONE = { data: { data: [], pagination: { p: 1, page_size: 10, count: 0, num_pages: 1 } } }

/** Role ids by name. */
export const ROLE = Object.fromEntries(contract.roles.roles.map(({ name, id }) => [name, id]))
export const ADVOCATE = [ROLE.Advocate]

/** Answers that most pages ask for. */
export const COMMON: Answers = {
  'GET /api_admin/csrf_token/': { data: { csrftoken: 'c1' } },
  'GET /api/ping/': {},
  'GET /api/drafts': NONE,
  'GET /api/staff/me/issues': NONE,
  'GET /dashboard/allocations_required/': NONE,
  'GET /services_lookup/': { data: [] },
  'GET /contracts_lookup/': { data: [] },
  'POST /logout/': { status: 204 },
}

/** Begins every test of a file signed out, with nothing stored, and with the product's calls. */
export function startFresh(): void {
  let eject = () => {}
  beforeEach(() => {
    window.scrollTo = () => {}
    clearSession('left')
    clearEnding()
    localStorage.clear()
    sessionStorage.clear()
    eject = addInterceptors(contract)
  })
  afterEach(() => {
    cleanup()
    eject()
  })
}

/** Opens the product at an address, as a person of these roles or signed out. */
export async function open(at: string, groups?: number[], answers: Answers = {}) {
  serve({ ...COMMON, 'GET /api/staff/me/info': { data: person(groups ?? []) }, ...answers })
  if (groups) localStorage.setItem('token', 'k1')
  await startSession(contract)
  const router = createMemoryRouter(routesOf(contract), { initialEntries: [at] })
  render(<App contract={contract} queries={makeQueries()} router={router} />)
  const address = () => router.state.location.pathname + router.state.location.search
  return { user: userEvent.setup(), address }
}
