import { act, screen, waitFor, within } from '@testing-library/react'
import type { UserEvent } from '@testing-library/user-event'
import { beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { currentMessages } from '../../src/app/core/messageLog.ts'
import { MESSAGES } from '../../src/app/core/messages.ts'
import { clearSession } from '../../src/app/core/session.ts'
import { followTabs } from '../../src/app/core/tabs.ts'
import { preloadPage } from '../../src/app/routes.tsx'
import { QUICK_SEARCH_DEBOUNCE_MS } from '../../src/contract/limits.ts'
import { http } from '../../src/engine/core/http.ts'
import { CONNECTION, notify } from '../../src/engine/core/notices.ts'
import { markInProgress } from '../../src/engine/form/drafts/inProgress.ts'
import { contract } from '../loadedContract.ts'
import { fakeServer, page } from './fakeServer.ts'
import { person } from './open.tsx'
import { ADVOCATE, openApp, startSignedOut } from './openApp.tsx'

beforeEach(startSignedOut)

describe('signing in', () => {
  const fill = async (user: UserEvent, name: string, password: string) => {
    if (name) await user.type(await screen.findByLabelText('User name'), name)
    if (password) await user.type(screen.getByLabelText('Password'), password)
    await user.click(screen.getByRole('button', { name: 'Sign in' }))
  }
  const LOGIN = { 'POST /login/': { data: { key: 'k1', user: person(ADVOCATE) } } }

  test('returns to the requested address', async () => {
    const { user, address } = await openApp('/dashboard/old-cases?page=2', undefined, {
      ...LOGIN,
      'GET /api/staff/old-cases': page([]),
    })
    await fill(user, ' ann ', 'secret')
    await waitFor(() => expect(address()).toBe('/dashboard/old-cases?page=2'))
    const [login] = fakeServer.requestsTo('POST /login/')
    expect(login.body).toEqual({ username: 'ann', password: 'secret' })
  })
  test('leads to the dashboard without one', async () => {
    const { user, address } = await openApp('/login', undefined, LOGIN)
    expect(document.title).toBe('Sign in – Advocacy casework')
    await fill(user, 'ann', 'secret')
    await waitFor(() => expect(address()).toBe('/dashboard/my-cases'))
  })
  test('shows what is wrong on the page and keeps the user name', async () => {
    const { user } = await openApp('/login', undefined, { 'POST /login/': { status: 401, data: {} } })
    await fill(user, 'ann', 'wrong')
    expect(await screen.findByText('Your user name or password is wrong.')).toBeTruthy()
    expect(screen.getByLabelText<HTMLInputElement>('User name').value).toBe('ann')
    fakeServer.use({ 'POST /login/': { status: 423, data: { message: 'Locked for 15 minutes' } } })
    await fill(user, '', '')
    expect(await screen.findByText('Locked for 15 minutes')).toBeTruthy()
  })
  test('needs user name and password', async () => {
    const { user } = await openApp('/login')
    await fill(user, 'ann', '')
    expect(await screen.findByText(MESSAGES.emptyLogin)).toBeTruthy()
    await waitFor(() => expect(document.activeElement).toBe(screen.getByLabelText('Password')))
    expect(fakeServer.requestsTo('POST /login/')).toHaveLength(0)
  })
  test('has fields that password managers recognise, and a password that can be shown', async () => {
    const { user } = await openApp('/login')
    const password = await screen.findByLabelText<HTMLInputElement>('Password')
    expect(screen.getByLabelText('User name').getAttribute('autocomplete')).toBe('username')
    expect(password.autocomplete).toBe('current-password')
    await user.click(screen.getByRole('button', { name: 'Show password' }))
    expect(password.type).toBe('text')
  })
  test('by the one-time link creates the first administrator', async () => {
    const { user, address } = await openApp('/setup/t0ken', undefined, {
      'POST /api/setup': { data: { key: 'k1', user: person([1]) } },
      'GET /staff/list/': page([]),
      'GET /role_lookup/': { data: [] },
    })
    await user.type(await screen.findByLabelText('User name'), 'root')
    await user.type(screen.getByLabelText('First name'), 'Ann')
    await user.type(screen.getByLabelText('Last name'), 'Smith')
    await user.type(screen.getByLabelText('Password'), 'short')
    await user.click(screen.getByRole('button', { name: 'Set up' }))
    const password = screen.getByLabelText('Password')
    const descriptions = password.getAttribute('aria-describedby')!.split(' ')
    expect(descriptions.map((id) => document.getElementById(id)?.textContent)).toEqual([
      '12 characters or more; three plain words will do',
      'Password must be 12 characters or more.',
    ])
    expect(password.getAttribute('aria-invalid')).toBe('true')
    await user.type(password, ' but longer')
    await user.click(screen.getByRole('button', { name: 'Set up' }))
    await waitFor(() => expect(address()).toBe('/dashboard/management'))
    const [setup] = fakeServer.requestsTo('POST /api/setup')
    expect(setup.body).toMatchObject({ token: 't0ken', password: 'short but longer' })
  })
  test('by the one-time link shows why it is refused', async () => {
    const { user } = await openApp('/setup/t0ken', undefined, {
      'POST /api/setup': { status: 400, data: { last_name: ['Too long'], password: ['Too common'] } },
    })
    for (const label of ['User name', 'First name', 'Last name', 'Password'])
      await user.type(await screen.findByLabelText(label), 'three plain words')
    await user.click(screen.getByRole('button', { name: 'Set up' }))
    expect((await screen.findByText('Too common')).id).toBe('password-error')
    await waitFor(() => expect(document.activeElement).toBe(screen.getByLabelText('Last name')))
    expect(screen.getByLabelText('Last name').getAttribute('aria-invalid')).toBe('true')
    const message = 'There is no such record, or you may not see it'
    fakeServer.use({ 'POST /api/setup': { status: 404, data: { message } } })
    await user.click(screen.getByRole('button', { name: 'Set up' }))
    await screen.findByText(message)
    expect(screen.queryByText('Too common')).toBeNull()
  })
})

describe('signing out', () => {
  test('asks for confirmation, then leads to the thanks page', async () => {
    const { user, address } = await openApp('/dashboard', ADVOCATE)
    await user.click(await screen.findByRole('button', { name: 'Log Out' }))
    const dialog = await screen.findByRole('alertdialog')
    expect(within(dialog).getByText('Are you sure you want to sign out?')).toBeTruthy()
    expect(within(dialog).queryByText(/You will lost/)).toBeNull()
    await user.click(within(dialog).getByRole('button', { name: 'No' }))
    expect(localStorage.getItem('token')).toBe('k1')
    await user.click(screen.getByRole('button', { name: 'Log Out' }))
    await user.click(await screen.findByRole('button', { name: 'Yes' }))
    await waitFor(() => expect(address()).toBe('/thanks'))
    expect(fakeServer.requestsTo('POST /logout/')).toHaveLength(1)
    expect(localStorage.getItem('token')).toBeNull()
    expect(sessionStorage.getItem('returnAddress')).toBeNull()
  })
  test('in another tab leads back to what was typed here and not saved', async () => {
    onTestFinished(followTabs(contract))
    // On a busy machine the code of a form takes longer than tests wait for what a page shows.
    await preloadPage(contract, '/clients/9/info')
    const { user, address } = await openApp('/clients/9/info', ADVOCATE, {
      'GET /client/9/index/': {
        data: { id: 9, version: 1, first_name: 'Ann', last_name: 'Ames', status: 1 },
      },
      'GET /api/clients/9/alerts': page([]),
      'POST /login/': { data: { key: 'k2', user: person(ADVOCATE) } },
    })
    await user.click(await screen.findByRole('button', { name: 'Change Personal details' }))
    const name = () => screen.getByLabelText<HTMLInputElement>('Last name')
    await user.clear(name())
    await user.type(name(), 'Bell')
    localStorage.setItem('ended', 'left')
    localStorage.removeItem('token')
    act(() => void dispatchEvent(new StorageEvent('storage', { key: 'token', newValue: null })))
    await screen.findByText(MESSAGES.leftElsewhere)
    await waitFor(() => expect(address()).toBe('/thanks'))
    await user.click(await screen.findByRole('link', { name: 'Sign in again' }))
    await user.type(await screen.findByLabelText('User name'), 'ann')
    await user.type(await screen.findByLabelText('Password'), 'secret')
    await user.click(await screen.findByRole('button', { name: 'Sign in' }))
    await user.click(await screen.findByRole('button', { name: 'Put it back' }))
    await waitFor(() => expect(address()).toBe('/clients/9/info'))
    // The form is rendered with the record before what was typed is put back into it.
    await screen.findByLabelText('Last name')
    await waitFor(() => expect(name().value).toBe('Bell'))
  })
  test('discards an unfinished case after a warning', async () => {
    const { user, address } = await openApp('/dashboard', ADVOCATE)
    const discard = vi.fn(async () => {})
    const end = markInProgress({ kind: 'case', discard })
    await user.click(await screen.findByRole('button', { name: 'Log Out' }))
    expect(await screen.findByText('You will lost all case changes.')).toBeTruthy()
    await user.click(screen.getByRole('button', { name: 'Yes' }))
    await waitFor(() => expect(address()).toBe('/thanks'))
    end()
    expect(discard).toHaveBeenCalledOnce()
  })
  test.each([
    ['action', 'You will lose the action you have begun.'],
    [undefined, 'You will lose the form you have begun.'],
  ])('warns of what is lost with an unfinished %s', async (kind, words) => {
    const { user } = await openApp('/dashboard', ADVOCATE)
    const end = markInProgress({ kind, discard: async () => {} })
    await user.click(await screen.findByRole('button', { name: 'Log Out' }))
    expect(await screen.findByText(words)).toBeTruthy()
    expect(screen.queryByText('You will lost all case changes.')).toBeNull()
    end()
  })
  test('by the idle timer leads to the sign-in page, which says why and leads back', async () => {
    const { address } = await openApp('/dashboard/my-cases?page=3', ADVOCATE)
    await screen.findByRole('heading', { level: 1 })
    act(() => clearSession('expired'))
    expect(await screen.findByText(MESSAGES.expired, { exact: false })).toBeTruthy()
    expect(address()).toBe('/login')
    expect(JSON.parse(sessionStorage.getItem('returnAddress') ?? '')).toEqual({
      path: '/dashboard/my-cases?page=3',
      user: 7,
    })
  })
})

describe('a page that is read late', () => {
  const openLate = async () => {
    let reply = () => {}
    const pending = new Promise<void>((resolve) => {
      reply = resolve
    })
    const client = { id: 13, first_name: 'Anna', last_name: 'Smythe', dob: null }
    const { user, address } = await openApp('/dashboard', ADVOCATE, {
      'GET /api/quicksearch/clients/': { data: [client] },
      'GET /client/13/index/': () => pending.then(() => ({ data: client })),
      'GET /api/clients/13/alerts': page([]),
    })
    const box = await screen.findByRole('combobox', { name: 'Find a client' })
    await user.type(box, 'anna')
    await screen.findByRole('option', { name: /Smythe/ })
    await user.keyboard('{Enter}')
    await waitFor(() => expect(address()).toBe('/clients/13/info'))
    return { box, reply }
  }
  const heading = () => screen.findByRole('heading', { level: 1, name: /Anna Smythe/ })
  test('has the focus on its heading once it is there', async () => {
    const { reply } = await openLate()
    reply()
    const element = await heading()
    await waitFor(() => expect(document.activeElement).toBe(element))
  })
  test('leaves the focus where it was put meanwhile, also with no key and no pointer', async () => {
    const { box, reply } = await openLate()
    act(() => box.blur())
    act(() => box.focus())
    reply()
    await heading()
    expect(document.activeElement).toBe(box)
  })
})

describe('the quick search', () => {
  const URL = 'GET /api/quicksearch/clients/'
  const FOUND = [
    { id: 12, first_name: 'Ann', last_name: 'Smith', dob: '1984-06-04' },
    { id: 13, first_name: 'Anna', last_name: 'Smythe', dob: null },
  ]
  const openSearch = async (data: unknown[]) => {
    let reply = () => {}
    const pending = new Promise<void>((resolve) => {
      reply = resolve
    })
    const opened = await openApp('/dashboard', ADVOCATE, {
      [URL]: () => pending.then(() => ({ data })),
      'GET /client/13/index/': { data: FOUND[1] },
      'GET /api/clients/13/alerts': page([]),
    })
    const box = await screen.findByRole<HTMLInputElement>('combobox', { name: 'Find a client' })
    return { ...opened, box, reply }
  }
  test('searches 300 ms after the last key, shows the results, and opens the chosen one', async () => {
    const { user, box, reply, address } = await openSearch(FOUND)
    expect(document.getElementById(box.getAttribute('aria-describedby')!)?.textContent).toBe(
      'Client name or client ID',
    )
    box.focus()
    const started = Date.now()
    await user.keyboard('ann')
    expect(await screen.findByText('Searching...')).toBeTruthy()
    await waitFor(() => expect(fakeServer.requestsTo(URL)).not.toHaveLength(0))
    expect(Date.now() - started).toBeGreaterThanOrEqual(300)
    // One for the three keys, not one for each.
    expect(fakeServer.requestsTo(URL).map(({ query }) => query)).toEqual([{ term: 'ann' }])
    reply()
    expect(await screen.findByText('2 clients')).toBeTruthy()
    expect(screen.getByText(/^Born 4 June 1984 .* ID 12$/)).toBeTruthy()
    await user.keyboard('{ArrowDown}{ArrowDown}')
    const [, second] = screen.getAllByRole('option')
    expect(box.getAttribute('aria-activedescendant')).toBe(second.id)
    expect(second.getAttribute('aria-selected')).toBe('true')
    expect(document.activeElement).toBe(box)
    await user.keyboard('{Enter}')
    await waitFor(() => expect(address()).toBe('/clients/13/info'))
    expect(box.value).toBe('')
  })
  test('searches at once by Enter, and once; the next Enter opens the first result', async () => {
    const { user, box, reply, address } = await openSearch([FOUND[1]])
    // The pause after the last key never ends.
    const { setTimeout: start } = window
    vi.spyOn(window, 'setTimeout').mockImplementation(((run: TimerHandler, ms?: number) =>
      ms === QUICK_SEARCH_DEBOUNCE_MS ? 0 : start(run, ms)) as typeof setTimeout)
    box.focus()
    await user.keyboard('ann')
    expect(fakeServer.requestsTo(URL)).toHaveLength(0)
    await user.keyboard('{Enter}')
    await waitFor(() => expect(fakeServer.requestsTo(URL).map((r) => r.query)).toEqual([{ term: 'ann' }]))
    vi.restoreAllMocks()
    reply()
    expect(await screen.findByText('1 client')).toBeTruthy()
    await user.keyboard('{Enter}')
    await waitFor(() => expect(address()).toBe('/clients/13/info'))
    expect(fakeServer.requestsTo(URL)).toHaveLength(1)
  })
  test('moves to the first result, also if an arrow key was pressed before', async () => {
    const { user, box, reply, address } = await openSearch(FOUND)
    box.focus()
    await user.keyboard('ann{ArrowDown}')
    expect(box.getAttribute('aria-activedescendant')).toBeNull()
    reply()
    expect(await screen.findByText('2 clients')).toBeTruthy()
    await user.keyboard('{ArrowDown}')
    expect(box.getAttribute('aria-activedescendant')).toBe(screen.getAllByRole('option')[0].id)
    await user.keyboard('{ArrowDown}{Enter}')
    await waitFor(() => expect(address()).toBe('/clients/13/info'))
  })
  test('shows that nobody matches, and never searches for blanks', async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true })
    const { user, box, reply } = await openSearch([])
    reply()
    await user.type(box, '   ')
    await act(() => vi.advanceTimersByTimeAsync(2 * QUICK_SEARCH_DEBOUNCE_MS))
    expect(fakeServer.requestsTo(URL)).toHaveLength(0)
    await user.type(box, 'zz')
    expect(await screen.findByText('No clients match')).toBeTruthy()
    await user.keyboard('{Escape}')
    expect(box.getAttribute('aria-expanded')).toBe('false')
    await user.keyboard('{Escape}')
    expect(box.value).toBe('')
  })
  test('gives the focus back when Escape empties it, so that the next key is a shortcut', async () => {
    const { user } = await openApp('/nowhere', ADVOCATE, { [URL]: { data: [] } })
    const box = await screen.findByRole<HTMLInputElement>('combobox')
    await user.keyboard('/')
    await user.keyboard('zz')
    expect(await screen.findByText('No clients match')).toBeTruthy()
    await user.keyboard('{Escape}')
    expect(document.activeElement).toBe(box)
    await user.keyboard('{Escape}')
    expect([box.value, document.activeElement === box]).toEqual(['', false])
  })
  test('is focused by Ctrl+K and by / from anywhere, by / unless single keys are off', async () => {
    const { user } = await openApp('/nowhere', ADVOCATE)
    const box = await screen.findByRole<HTMLInputElement>('combobox')
    await user.keyboard('{Control>}k{/Control}')
    expect(document.activeElement).toBe(box)
    act(() => box.blur())
    await user.keyboard('/')
    expect(document.activeElement).toBe(box)
    expect(box.value).toBe('')
    await user.click(screen.getByRole('button', { name: 'Keyboard shortcuts' }))
    await user.click(await screen.findByRole('checkbox', { name: 'Use single-key shortcuts' }))
    await user.keyboard('{Escape}')
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    await user.keyboard('/')
    expect(document.activeElement).not.toBe(box)
  })
})

describe('notices', () => {
  const toasts = () =>
    [...document.querySelectorAll('[class*="toast-message"]')].map((one) => one.textContent)
  test('of the same text are merged with their number, and all others are visible', async () => {
    await openApp('/login')
    const show = (text: string) => act(() => notify({ kind: 'error', title: 'Warning', text }))
    show('Access is denied')
    show('Access is denied')
    await waitFor(() => expect(toasts()).toEqual(['Warning Access is denied (2)']))
    for (const text of ['a', 'b', 'c', 'd', 'e', 'f', 'g']) show(text)
    await waitFor(() => expect(toasts()).toHaveLength(8))
  })
  test('go once their call succeeds, and stay among the recent messages', async () => {
    let isTaken = true
    await openApp('/login', undefined, {
      'POST /boats/': () => (isTaken ? { status: 400, data: { username: ['is taken'] } } : {}),
      'POST /cars/': { status: 400, data: { name: ['is wrong'] } },
    })
    await act(async () => void (await http.post('/boats/').catch(() => undefined)))
    await act(async () => void (await http.post('/cars/').catch(() => undefined)))
    await waitFor(() => expect(toasts()).toHaveLength(2))
    act(() => notify({ kind: 'error', title: 'Warning', text: 'No connection', cause: CONNECTION }))
    await waitFor(() => expect(toasts()).toHaveLength(3))
    isTaken = false
    await act(async () => void (await http.post('/boats/')))
    await waitFor(() => expect(toasts()).toEqual(['name is wrong']))
    expect(currentMessages().map(({ text }) => text)).toEqual(
      expect.arrayContaining(['is taken', 'is wrong', 'No connection']),
    )
  })
  test('offer what can be done next beside what takes it back, and go when that is pressed', async () => {
    const { user } = await openApp('/login')
    const [undo, log] = [vi.fn(), vi.fn()]
    const [action, offer] = [
      { label: 'Undo', run: undo },
      { label: 'Log action', run: log },
    ]
    act(() => notify({ kind: 'success', text: 'Done: Ring the ward', action, offer }))
    await waitFor(() => expect(toasts()).toHaveLength(1))
    expect(screen.getByRole('button', { name: 'Undo' })).toBeTruthy()
    await user.click(screen.getByRole('button', { name: 'Log action' }))
    expect([log.mock.calls.length, undo.mock.calls.length]).toEqual([1, 0])
    await waitFor(() => expect(toasts()).toEqual([]))
  })
  test('with a button replace the one before, which stays among the recent messages', async () => {
    await openApp('/login')
    for (const text of ['Done: Ring the ward', 'Done: Write', 'Done: Write']) {
      act(() => notify({ kind: 'success', text, action: { label: 'Undo', run: () => undefined } }))
      await waitFor(() => expect(toasts()).toEqual([text]))
    }
    expect(currentMessages().map(({ text }) => text)).toEqual(expect.arrayContaining(['Done: Ring the ward']))
  })
  test('are listed under the bell, and go when the user signs out', async () => {
    const { user } = await openApp('/profile', ADVOCATE, {
      'GET /api/staff/old-cases': page([]),
      'GET /api/validation/notification': { data: { invalid_cases: 0, issues: [] } },
      'GET /api/referral/notification': { data: { new_requests: 0, new_messages: 0 } },
    })
    await user.click(await screen.findByRole('button', { name: 'Notifications' }))
    const panel = await screen.findByRole('dialog', { name: 'Notifications' })
    expect(await within(panel).findByText('You have no Notifications.')).toBeTruthy()
    const run = vi.fn()
    act(() => notify({ kind: 'success', text: 'Client 5 is retired', action: { label: 'Undo', run } }))
    await user.click(await within(panel).findByRole('button', { name: 'Undo' }))
    expect(run).toHaveBeenCalledOnce()
    act(() => clearSession('left'))
    await waitFor(() => expect(toasts()).toEqual([]))
  })
})
