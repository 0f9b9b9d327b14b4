import { screen as view, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, expect, it } from 'vitest'
import { contract } from '../loadedContract.ts'
import { fakeServer, page } from './fakeServer.ts'
import { open, person } from './open.tsx'
import { lookupHandlers } from './product.ts'

const user = userEvent.setup()
const CLIENTS = 'POST /api/search/clients/'
const ACTIONS = 'POST /api/search/actions/'
const tabs = [
  'search-clients',
  'search-actions',
  'search-activities',
  'search-staff',
  'search-cases',
  'search-issues',
]
const screens = Object.fromEntries(['search', ...tabs].map((name) => [name, contract.screens[name]]))

const found = page([{ id: 12, name: 'Ann Smith', last_name: 'Smith', dob: null, postcode: null, status: 1 }])

beforeEach(() => {
  fakeServer.use({
    ...lookupHandlers,
    [CLIENTS]: { data: { ...found.data, total_time: 5400 } },
    [ACTIONS]: page([]),
  })
})

const openSearch = (address: string) => open(screens, address, { contract, person: person([4]) })
const tab = (name: string) => view.getByRole('link', { name })
const isShown = (name: string) => tab(name).getAttribute('aria-current') === 'page'

it('searches nothing before a field is filled, then by what was filled, which the address says', async () => {
  const { address } = await openSearch('/search')
  expect(await view.findByText('Fill in at least one field')).toBeTruthy()
  expect(view.queryByRole('button', { name: 'Export to Excel' })).toBeNull()
  await user.type(view.getByLabelText('Name or ID'), 'smith')
  await user.click(view.getByRole('button', { name: 'Search' }))
  expect(await view.findByRole('link', { name: 'Ann Smith' })).toBeTruthy()
  expect(address()).toBe('/search?term=smith')
  expect(view.getByText(/^Showing/).textContent).toBe('Showing 1 to 1 of 1, time spent on all of them: 01:30')
  const [{ body, query }] = fakeServer.requestsTo(CLIENTS)
  expect([body, query]).toEqual([{ term: 'smith' }, { p: 1, page_size: 10 }])
  await user.click(view.getByRole('button', { name: 'Clear filters' }))
  expect(await view.findByText('Fill in at least one field')).toBeTruthy()
  expect(view.queryByRole('link', { name: 'Ann Smith' })).toBeNull()
})

it.each([
  ['/search', 'Clients'],
  ['/search?searchType=1', 'Clients'],
  ['/search?searchType=2', 'Actions'],
  ['/search?searchType=4', 'Advocates'],
  ['/search?searchType=5', 'Cases'],
  ['/search?searchType=6', 'Issues'],
  ['/search?searchType=9', 'Clients'],
  ['/search?searchType=x', 'Clients'],
])('%s shows %s', async (address, name) => {
  await openSearch(address)
  await waitFor(() => expect(isShown(name)).toBe(true))
  expect(view.getAllByRole('heading', { level: 1 }).map((one) => one.textContent)).toEqual(['Search'])
})

it.each([
  ['1', [1]],
  ['1,2', [1, 2]],
])('sends services as a list: %s', async (text, services) => {
  await openSearch(`/search?term=smith&services=${text}`)
  await view.findByRole('link', { name: 'Ann Smith' })
  expect(fakeServer.requestsTo(CLIENTS)[0].body).toEqual({ term: 'smith', services })
})

it('begins anew with another type', async () => {
  const { address } = await openSearch('/search?term=smith&page=1')
  expect(await view.findByRole('link', { name: 'Ann Smith' })).toBeTruthy()
  await user.click(tab('Actions'))
  expect(await view.findByText('Fill in at least one field')).toBeTruthy()
  expect(address()).toBe('/search?searchType=2')
  expect(fakeServer.requestsTo(ACTIONS)).toEqual([])
})
