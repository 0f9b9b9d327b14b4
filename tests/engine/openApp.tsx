import { render } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { createMemoryRouter } from 'react-router-dom'
import { App } from '../../src/app/App.tsx'
import { addInterceptors } from '../../src/app/core/interceptors.ts'
import { makeQueries } from '../../src/app/core/queries.ts'
import { clearEnding, clearSession, startSession } from '../../src/app/core/session.ts'
import { readPagesAhead } from '../../src/app/readPagesAhead.ts'
import { routesOf } from '../../src/app/routes.tsx'
import { contract } from '../loadedContract.ts'
import { fakeServer, type Handlers, page } from './fakeServer.ts'
import { person } from './open.tsx'
import { lookupHandlers } from './product.ts'

/** Role ids by name. */
export const ROLE = Object.fromEntries(contract.roles.roles.map(({ name, id }) => [name, id]))
export const ADVOCATE = [ROLE.Advocate]

/** The calls that most pages make. */
const SHELL: Handlers = {
  ...lookupHandlers,
  'GET /api_admin/csrf_token/': { data: { csrftoken: 'c1' } },
  'GET /api/ping/': {},
  'GET /api/drafts': page([]),
  'GET /api/case/gdpr/': { data: { version: '1', text: 'You can say no.' } },
  'GET /api/staff/me/issues': page([]),
  'GET /api/worklist': page([]),
  'GET /api/staff/me/sessions': page([]),
  'GET /api/staff/old-cases': page([]),
  'GET /api/quicksearch/records/': { data: [] },
  'GET /api/staff/me/new_work/notification': {
    data: { issues: 0, referrals: 0, uploads: 0, tasks: 0, deaths: 0, automations: 0, comments: 0, open: 0 },
  },
  'GET /api/files/offered': page([]),
  'GET /api/validation/notification': { data: { invalid_cases: 0, issues: [] } },
  'GET /api/referral/notification': { data: { new_requests: 0, new_messages: 0 } },
  'GET /dashboard/allocations_required/': page([]),
  'GET /api/staff/left_work': page([]),
  'GET /api/clients/{id}/chronology': page([]),
  'GET /api/staff/me/time_report': page([]),
  'POST /logout/': { status: 204 },
}

/** Starts a test signed out, with the app's interceptors. Returns the function that removes them. */
export function startSignedOut(): () => void {
  clearSession('left')
  clearEnding()
  localStorage.clear()
  return addInterceptors(contract)
}

/** Opens the whole app at an address, signed in with these roles or signed out. */
export async function openApp(at: string, groups?: number[], handlers: Handlers = {}) {
  fakeServer.use({ ...SHELL, 'GET /api/staff/me/info': { data: person(groups ?? []) }, ...handlers })
  if (groups) localStorage.setItem('token', 'k1')
  await startSession(contract)
  const router = createMemoryRouter(routesOf(contract), { initialEntries: [at] })
  const queries = makeQueries()
  readPagesAhead(router, contract, queries)
  render(<App contract={contract} queries={queries} router={router} />)
  const address = () => router.state.location.pathname + router.state.location.search
  return { user: userEvent.setup(), address, router }
}
