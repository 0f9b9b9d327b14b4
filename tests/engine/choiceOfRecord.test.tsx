import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, expect, test } from 'vitest'
import { contract } from '../loadedContract.ts'
import { fakeServer, page } from './fakeServer.ts'
import { open, person } from './open.tsx'
import { lookupHandlers } from './product.ts'

const FIRST = Array.from({ length: 100 }, (_, i) => ({ id: i + 1, name: `Person ${i + 1}`, hub_label: null }))
const BEA = {
  id: 5,
  version: 3,
  username: 'bea',
  first_name: 'Bea',
  last_name: 'Lowe',
  groups: [4],
  line_manager: 900,
}

beforeEach(() =>
  fakeServer.use({
    ...lookupHandlers,
    'GET /api/staff/line_managers': ({ query }) =>
      query.term
        ? page([{ id: 901, name: 'Yan Yardley', hub_label: 'Eastern' }])
        : page(FIRST, { count: 10000 }),
    'GET /api/staff/line_managers/900': { data: { id: 900, name: 'Zoe Zane' } },
    'GET /api/staff/line_managers/901': { data: { id: 901, name: 'Yan Yardley' } },
    'GET /api/staff/hubs': page([{ id: 1, name: 'Eastern' }]),
    'GET /api/staff/5': { data: BEA },
    'PATCH /staff/5/edit/': ({ body }) => ({ data: { ...BEA, ...body } }),
  }),
)

const openScreen = (name: string, at: string, groups = [1]) =>
  open({ [name]: contract.screens[name] }, at, { contract, person: person(groups) })
const manager = () => screen.getByRole('combobox', { name: /^Line manager/ }) as HTMLInputElement

test('shows one of ten thousand by name, and searches others on the server', async () => {
  await openScreen('staff-details', '/advocate/5/details')
  await waitFor(() => expect(manager().value).toBe('Zoe Zane'))
  await userEvent.clear(manager())
  await userEvent.type(manager(), 'yan')
  await userEvent.click(await screen.findByRole('option', { name: /Yan Yardley/ }))
  await userEvent.click(screen.getByRole('button', { name: 'Save' }))
  await waitFor(() =>
    expect(fakeServer.requestsTo('PATCH /staff/5/edit/')[0]?.body).toEqual({ version: 3, line_manager: 901 }),
  )
})

test('does not require the choice in a new record', async () => {
  await openScreen('new-staff', '/dashboard/management/new')
  await userEvent.click(await screen.findByRole('button', { name: 'Save' }))
  const alert = screen.getByRole('alert').textContent
  for (const needed of ['user name', 'first name', 'last name', 'email', 'roles'])
    expect(alert).toContain(needed)
  for (const not of ['hub', 'line manager']) expect(alert).not.toContain(not)
})

test('shows names instead of ids to users who may not save', async () => {
  await openScreen('staff-details', '/advocate/5/details', [2])
  await screen.findByText('Zoe Zane')
  expect(screen.queryByRole('button', { name: 'Save' })).toBeNull()
})

test('offers those who work on the service and contract of the issue that is assigned', async () => {
  const issue = { id: 8, case: 3, client: 9, client_name: 'Ann Ames', service: 2, contract: 4 }
  fakeServer.use({
    ...lookupHandlers,
    'GET /dashboard/allocations_required/': page([issue]),
    'GET /api/staff/caseworkers': page([{ id: 7, name: 'Cy Dunn', workload: 'no open issues' }]),
  })
  await openScreen('allocations-required', '/dashboard/allocations-required', [2])
  await userEvent.click(await screen.findByRole('button', { name: 'Assign 8' }))
  await userEvent.click(await screen.findByRole('combobox', { name: /^Advocate/ }))
  await screen.findByRole('option', { name: /Cy Dunn/ })
  const [{ query }] = fakeServer.requestsTo('GET /api/staff/caseworkers')
  expect(query).toMatchObject({ service: 2, contract: 4 })
  expect(query).not.toHaveProperty('role')
})

test('chooses a case by its client’s name, and one beyond the first hundred by its number', async () => {
  const row = (id: number, name: string) => ({
    id,
    client_name: name,
    case_type_label: 'Care Act',
    state: 'Open',
  })
  fakeServer.use({
    ...lookupHandlers,
    'GET /api/referral/request/7': {
      data: { id: 7, version: 2, status: 1, person_name: 'Bo Lund', is_received: true, notice: null },
    },
    'GET /api/cases/active': ({ query }) =>
      query.term
        ? page([row(4711, 'Bo Lund')])
        : page(
            Array.from({ length: 100 }, (_, i) => row(9000 - i, `Ada Reed ${i}`)),
            { count: 300 },
          ),
    'POST /api/referral/request/7/status': { data: { id: 7, status: 2 } },
  })
  const names = ['referral-request', 'referral-details', 'referral-conversation']
  const screens = Object.fromEntries(names.map((name) => [name, contract.screens[name]]))
  await open(screens, '/dashboard/referral-requests/7', { contract, person: person([3]) })
  await userEvent.click(await screen.findByRole('button', { name: 'More actions' }))
  await userEvent.click(await screen.findByRole('menuitem', { name: 'Accept into a case' }))
  const dialog = within(await screen.findByRole('dialog'))
  await userEvent.type(await dialog.findByRole('combobox', { name: /^Case/ }), '4711')
  await userEvent.click(await screen.findByRole('option', { name: /Bo Lund – Care Act \(#4711\)/ }))
  await userEvent.click(dialog.getByRole('button', { name: 'Accept into a case' }))
  await waitFor(() =>
    expect(fakeServer.requestsTo('POST /api/referral/request/7/status')[0]?.body).toEqual({
      case: 4711,
      status: 2,
      version: 2,
    }),
  )
})
