import { act, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { clearSession } from '../../src/app/core/session.ts'
import { setSingleKeyShortcuts } from '../../src/engine/core/shortcuts.ts'
import { fakeServer, page } from './fakeServer.ts'
import { ADVOCATE, openApp, startSignedOut } from './openApp.tsx'

const JAN = { id: 5, version: 1, first_name: 'Jan', last_name: 'Powell', status: 1 }

let stop: () => void
beforeEach(() => {
  stop = startSignedOut()
})
afterEach(() => stop())

const openAt = async (address: string) => {
  const opened = await openApp(address, ADVOCATE, {
    'GET /api/quicksearch/clients/': { data: [JAN] },
    'GET /client/5/index/': { data: JAN },
    'GET /api/clients/5/alerts': page([]),
    'GET /api/actions/most_used': { data: { types: [] } },
    'GET /api/activities/last': { data: {} },
  })
  const box = await screen.findByRole<HTMLInputElement>('combobox', { name: 'Find a client' })
  return { ...opened, box }
}
const labels = (group: string) =>
  within(screen.getByRole('group', { name: group }))
    .getAllByRole('option')
    .map((one) => one.querySelector('span')?.textContent)

describe('the palette', () => {
  test('lists screens and actions of the person at Ctrl+K, and gives the focus back at Escape', async () => {
    const { user, box } = await openAt('/profile')
    const link = screen.getAllByRole('link')[0]
    act(() => link.focus())
    await user.keyboard('{Control>}k{/Control}')
    expect(document.activeElement).toBe(box)
    expect(labels('Actions')).toEqual(expect.arrayContaining(['New Action', 'Log action', 'New Activity']))
    expect(screen.getByRole('option', { name: /^Old cases/i })).toBeTruthy()
    expect(screen.queryByRole('option', { name: /Admin Site/ })).toBeNull()
    await user.keyboard('{Escape}{Escape}')
    await waitFor(() => expect(document.activeElement).toBe(link))
  })

  test('shows the alerts of a found client in words', async () => {
    const { user } = await openAt('/profile')
    const alerts = [{ level: 'danger', label: 'Open safeguarding concern', text: null }]
    fakeServer.use({ 'GET /api/quicksearch/clients/': { data: [{ ...JAN, alerts }] } })
    await user.keyboard('/')
    await user.keyboard('pow')
    expect(
      await screen.findByRole('option', { name: /^Jan Powell.*Open safeguarding concern$/ }),
    ).toBeTruthy()
  })

  test('goes to a screen by the beginnings of its words', async () => {
    fakeServer.use({ 'GET /api/quicksearch/clients/': { data: [] } })
    const { user, address } = await openAt('/profile')
    fakeServer.use({ 'GET /api/quicksearch/clients/': { data: [] } })
    await user.keyboard('/')
    await user.keyboard('time dis')
    await waitFor(() => expect(screen.queryByText('Searching...')).toBeNull())
    await user.keyboard('{Enter}')
    await waitFor(() => expect(address()).toMatch(/time-distribution/))
  })

  test('ends with a visible link to the advanced search, also when nothing is found', async () => {
    const { user, address } = await openAt('/profile')
    await user.keyboard('/')
    const last = () => screen.getAllByRole('option').at(-1)!
    await waitFor(() => expect(last().textContent?.trim()).toBe('Go to advanced search'))
    fakeServer.use({ 'GET /api/quicksearch/clients/': { data: [] } })
    await user.keyboard('zzzz')
    await screen.findByText('No clients match')
    expect(screen.getAllByRole('option')).toHaveLength(1)
    // Enter takes what was found, and there is nothing.
    await user.keyboard('{Enter}')
    expect(address()).toBe('/profile')
    await user.click(last())
    await waitFor(() => expect(address()).toBe('/search'))
  })

  test('finds a case and an issue by their number, also where it is said of which', async () => {
    const { user, address, box } = await openAt('/profile')
    fakeServer.use({
      'GET /issue/{id}/': { status: 404 },
      'GET /api/quicksearch/records/': {
        data: [
          { kind: 'case', id: 214, case: 214, client_name: 'Jan Powell', type_label: 'IMCA' },
          { kind: 'issue', id: 214, case: 99, client_name: 'Al Short', type_label: 'Housing' },
        ],
      },
    })
    await user.keyboard('/214')
    await screen.findByRole('option', { name: /^Case 214: Jan Powell/ })
    expect(labels('Cases and issues')).toEqual(['Case 214: Jan Powell', 'Issue 214: Al Short'])
    expect(labels('Clients')).toEqual(['Jan Powell'])
    const asked = fakeServer.requestsTo('GET /api/quicksearch/clients/').length
    await user.clear(box)
    await user.paste('issue 214')
    await waitFor(() => expect(labels('Cases and issues')).toEqual(['Issue 214: Al Short']))
    expect(fakeServer.requestsTo('GET /api/quicksearch/clients/')).toHaveLength(asked)
    await user.keyboard('{Enter}')
    await waitFor(() => expect(address()).toMatch('/cases/99/issues/214'))
  })

  test('lists the records opened last, of which signing out leaves nothing', async () => {
    const { user } = await openAt('/clients/5/info')
    await screen.findByRole('heading', { level: 1, name: 'Jan Powell' })
    await waitFor(() => expect(localStorage.getItem('recent.7')).toBe('["/clients/5"]'))
    await user.keyboard('gp')
    await screen.findByRole('heading', { level: 1, name: 'Profile' })
    await user.keyboard('/')
    expect(labels('Recent')).toEqual(['Jan Powell'])
    act(() => clearSession('left'))
    expect(localStorage.getItem('recent.7')).toBeNull()
  })

  test('asks the server for the names of records that were opened before a reload', async () => {
    localStorage.setItem('recent.7', '["/cases/61","/clients/62"]')
    fakeServer.use({
      'GET /api/quicksearch/recent/': {
        data: [{ address: '/cases/61', values: { id: 61, client_name: 'Al Short' } }],
      },
    })
    const { user } = await openAt('/profile')
    await user.keyboard('/')
    await waitFor(() => expect(labels('Recent')).toEqual(['Case 61: Al Short', 'Client 62']))
    const [{ query }] = fakeServer.requestsTo('GET /api/quicksearch/recent/')
    expect(query).toEqual({ addresses: '/cases/61,/clients/62' })
  })
})

describe('keys', () => {
  test('lead to screens one after the other, but not inside of fields or when switched off', async () => {
    const { user, address, box } = await openAt('/profile')
    act(() => box.focus())
    await user.keyboard('gs')
    expect(address()).toBe('/profile')
    act(() => box.blur())
    setSingleKeyShortcuts(false)
    await user.keyboard('gs')
    expect(address()).toBe('/profile')
    setSingleKeyShortcuts(true)
    await user.keyboard('gs')
    await waitFor(() => expect(address()).toMatch(/^\/search/))
  })

  test('open the form of an action beside the page, and ? lists them', async () => {
    const { user, address } = await openAt('/profile')
    await user.keyboard('?')
    expect(await screen.findByText('n then v')).toBeTruthy()
    // The dialog has the focus a moment after it is there, and with it the keys.
    await waitFor(() => expect(screen.getByRole('dialog').contains(document.activeElement)).toBe(true))
    await user.keyboard('{Escape}')
    await waitFor(() => expect(screen.queryByText('n then v')).toBeNull())
    await userEvent.keyboard('a')
    expect(await screen.findByRole('heading', { name: 'Log action' })).toBeTruthy()
    expect(address()).toBe('/profile')
  })
})
