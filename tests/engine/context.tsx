import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { render } from '@testing-library/react'
import { AxiosError, type AxiosResponse, type InternalAxiosRequestConfig } from 'axios'
import { createMemoryRouter, Outlet, type RouteObject, RouterProvider } from 'react-router-dom'
import type { Contract } from '../../src/contract/contract.ts'
import type { Screen as Described } from '../../src/contract/generated.ts'
import { useFocusTracking } from '../../src/engine/page/focusTracking.ts'
import { Screen } from '../../src/engine/page/Screen.tsx'
import { ContractContext } from '../../src/engine/runtime/contract.ts'
import { http } from '../../src/engine/runtime/http.ts'
import { type Notice, subscribeToNotices } from '../../src/engine/runtime/notices.ts'
import { type User, UserContext } from '../../src/engine/runtime/user.ts'
import './patience.ts'

const NAME = { title: 'Name', type: 'string', maxLength: 100 } as const

/** A small contract about nothing in particular. */
export const contract = {
  entities: {
    boat: {
      $id: 'boat',
      title: 'Boat',
      type: 'object',
      properties: {
        id: { title: 'Number', type: 'integer', readOnly: true },
        name: NAME,
        harbour: { title: 'Harbour', type: ['integer', 'null'], lookup: 'harbours' },
        harbour_label: { title: 'Harbour', type: 'string' },
        crew: { title: 'Crew', type: 'array', lookup: 'people', items: { type: 'integer' } },
        built: { title: 'Built', type: ['string', 'null'], format: 'date' },
        seen_at: { title: 'Seen', type: ['string', 'null'], format: 'date-time' },
        length: { title: 'Length', type: 'integer' },
        at_sea: { title: 'At sea', type: 'integer', fieldType: 'duration' },
        leaking: { title: 'Leaking', type: ['string', 'null'], fieldType: 'yesno' },
        owned: { title: 'Owned', type: 'boolean' },
        status: {
          title: 'Status',
          type: 'integer',
          options: [
            { value: 1, label: 'Afloat' },
            { value: 2, label: 'Ashore' },
          ],
        },
      },
    },
  },
  endpoints: {
    'boats.list': {
      call: 'GET /boats/',
      does: 'list boat',
      query: ['paged', 'sorted', 'boats'],
      roles: 'staff',
    },
    'boats.of': { call: 'GET /harbour/{id}/boats/', does: 'list boat', query: ['paged'], roles: 'staff' },
    'boats.read': { call: 'GET /boat/{id}/', does: 'read boat', roles: 'staff' },
    'boats.retire': { call: 'GET /boat/{id}/retire/', does: 'retire boat', roles: 'staff' },
    'boats.unretire': { call: 'GET /boat/{id}/unretire/', does: 'unretire boat', roles: 'staff' },
    'boats.remove': { call: 'DELETE /boat/{id}/', does: 'remove boat', roles: 'staff' },
    'boats.sell': {
      call: 'POST /boat/{id}/sell/',
      does: 'boats.sell',
      body: 'sell',
      touches: ['boat'],
      roles: ['captain'],
    },
  },
  lookups: {
    harbours: { title: 'Harbours', path: '/harbours/' },
    people: { title: 'People', path: '/people/', retirable: true },
  },
  bodies: {
    sell: {
      title: 'Sell boat',
      required: ['buyer'],
      properties: { buyer: { title: 'Buyer', type: 'string', maxLength: 50 } },
    },
  },
  query: {
    paged: { p: { type: 'integer' }, page_size: { type: 'integer' } },
    sorted: { order_by: { type: 'string' }, sort_order: { type: 'string' } },
    boats: {
      name: { title: 'Name', type: 'string', match: 'contains' },
      harbour: { title: 'Harbour', type: 'integer', match: 'equal', lookup: 'harbours' },
      since: { title: 'Built since', type: 'date', column: 'built', match: 'from' },
      leaking: {
        title: 'Leaking',
        type: 'boolean',
        match: 'yes',
        options: [{ value: true, label: 'Leaking only' }],
      },
    },
  },
  roles: {
    roles: [
      { id: 1, name: 'captain', label: 'Captain', lands: '/', demo: 'captain' },
      { id: 2, name: 'sailor', label: 'Sailor', lands: '/', demo: 'sailor' },
    ],
    groups: { staff: ['captain', 'sailor'] },
  },
  menu: { dashboard: [], side: [] },
  screens: {},
} as unknown as Contract

export const user: User = {
  id: 1,
  username: 'ann',
  first_name: 'Ann',
  last_name: 'Ash',
  groups: [1],
  status: 1,
}

export interface Sent {
  method: string
  url: string
  query: Record<string, unknown>
  body: unknown
  headers: Record<string, unknown>
}
interface Reply {
  status?: number
  data?: unknown
  headers?: Record<string, string>
}
type Answer = (sent: Sent) => Reply | Promise<Reply>

/** Answers the engine's calls by 'METHOD /path'; what nothing answers is a 404, a status of 0 a lost network. Returns what was sent, in order. */
export function serve(answers: Record<string, Answer>): Sent[] {
  const all: Sent[] = []
  http.defaults.adapter = async (config: InternalAxiosRequestConfig): Promise<AxiosResponse> => {
    const sent: Sent = {
      method: (config.method ?? 'get').toUpperCase(),
      url: config.url ?? '',
      query: { ...config.params },
      body: config.data === undefined ? undefined : JSON.parse(config.data),
      headers: { ...config.headers },
    }
    all.push(sent)
    const answer = answers[`${sent.method} ${sent.url}`]
    const { status = 200, data, headers = {} } = answer ? await answer(sent) : { status: 404 }
    const reply = { data, status, statusText: '', headers, config }
    if (status === 0) throw new AxiosError('Network Error', 'ERR_NETWORK', config)
    if (status < 300) return reply
    throw new AxiosError(`Status ${status}`, 'ERR_BAD_RESPONSE', config, undefined, reply)
  }
  return all
}

/** A page of boats numbered from `first`. */
export function page(rows: object[], pagination: object = {}) {
  return {
    data: rows,
    pagination: { p: 1, page_size: 10, count: rows.length, more: false, num_pages: 1, ...pagination },
  }
}

/** Draws screens at their addresses, tabs within their details, and beside them whatever else is given. */
export function open(
  screens: Record<string, object>,
  at: string,
  { person = user, more = [] }: { person?: User; more?: RouteObject[] } = {},
) {
  const known = screens as Record<string, Described>
  const path = (screen: Described) => screen.route.replaceAll(/\{(\w+)\}/g, ':$1')
  const tabs = new Set(Object.values(known).flatMap((s) => (s.kind === 'detail' ? s.tabs : [])))
  const routeOf = (name: string): RouteObject => ({
    path: path(known[name]),
    element: <Screen name={name} />,
    children: known[name].kind === 'detail' ? known[name].tabs.map(routeOf) : [],
  })
  const routes = Object.keys(known).filter((name) => !tabs.has(name))
  const router = createMemoryRouter(
    [
      { element: <Page />, children: [...routes.map(routeOf), ...more] },
      { path: '*', element: 'elsewhere' },
    ],
    { initialEntries: [at] },
  )
  const client = new QueryClient({ defaultOptions: { queries: { retry: false, staleTime: 30_000 } } })
  const notices: Notice[] = []
  const quiet = subscribeToNotices((notice) => notices.push(notice))
  const view = render(
    <ContractContext value={{ ...contract, screens: known }}>
      <QueryClientProvider client={client}>
        <UserContext value={person}>
          <RouterProvider router={router} />
        </UserContext>
      </QueryClientProvider>
    </ContractContext>,
  )
  const address = () => router.state.location.pathname + router.state.location.search
  return { ...view, router, client, address, notices, quiet }
}

function Page() {
  useFocusTracking()
  return <Outlet />
}
