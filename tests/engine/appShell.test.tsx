import { act, cleanup, screen, waitFor, within } from '@testing-library/react'
import { beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { WARNING } from '../../src/app/core/idle.ts'
import { dashboardEntries, sideEntries } from '../../src/app/core/menus.ts'
import { MESSAGES } from '../../src/app/core/messages.ts'
import { routesOf } from '../../src/app/routes.tsx'
import { landing } from '../../src/contract/access.ts'
import { INACTIVITY_MS } from '../../src/contract/limits.ts'
import { closeSidePanel, openSidePanel } from '../../src/engine/core/sidePanel.ts'
import { contract } from '../loadedContract.ts'
import { fakeServer, page } from './fakeServer.ts'
import { ADVOCATE, openApp, ROLE, startSignedOut } from './openApp.tsx'

beforeEach(startSignedOut)

describe('what a role sees', () => {
  const ALL = [
    'Dashboard',
    'New Case',
    'New Activity',
    'New Action',
    'Profile',
    'Search',
    'User Manual',
    'Log Out',
  ]
  const ASKED = 'Questions about people'
  const PEOPLE = ['Cases', 'Clients', ASKED, 'Draft Cases']
  const WORKS = ['My Cases', 'Deadlines', 'Time Distribution', 'Old Cases', ...PEOPLE]
  const OWN = ['Figures', 'Deadlines met', 'My Tasks']
  const LEFT = 'Steps of Closed Issues'
  const TEAM = ['Time Distribution', 'Workload', 'Reports', 'Old Cases', LEFT, ...WORKS.slice(4), ...OWN]
  const LEADS = [
    'Allocations required',
    'Invalid cases',
    'Work left behind',
    'My Team',
    'My Advocates',
    'Deadlines',
    ...TEAM,
  ]
  const REFERRALS = ['Referral Requests', 'Referral Messages', 'Case Uploads']
  const table: [role: string, lands: string, dashboard: string[], side: string[]][] = [
    [
      'SystemAdministrator',
      '/dashboard/management',
      [
        'Management',
        'Admin Site',
        'Public Referral Forms',
        'AXES',
        'Health',
        'Invalid cases',
        'Work left behind',
        ...REFERRALS,
        'Workload',
        'Reports',
        LEFT,
        'Cases',
        'Clients',
        'Likely the same person',
        ASKED,
        'Draft Cases',
        'Module Constructor',
        ...OWN,
      ],
      ALL,
    ],
    ['AdvocateManager', '/dashboard/allocations-required', LEADS, ALL],
    ['PartnerManager', '/dashboard/allocations-required', LEADS, ALL],
    ['Volunteeradvocate', '/dashboard/my-cases', WORKS, ALL],
    ['Advocate', '/dashboard/my-cases', WORKS, ALL],
    [
      'HUB',
      '/dashboard/my-cases',
      ['My Cases', 'Deadlines', ...REFERRALS, 'Activity during past week', ...WORKS.slice(2)],
      ALL,
    ],
    ['Partner', '/dashboard/my-cases', WORKS, ALL],
    [
      'HubManager',
      '/dashboard/hub',
      [
        'My Hub Staff',
        'Allocations required',
        'Invalid cases',
        'Work left behind',
        'My Team',
        'Deadlines',
        ...REFERRALS,
        'Activity during past week',
        ...TEAM,
      ],
      ALL,
    ],
    ['CommissionerAdvocate', '/reports/commissioner', ['Cases', 'Clients', 'Draft Cases', ...OWN], ALL],
  ]
  test.each(table)('%s', (role, lands, dashboard, side) => {
    const groups = [ROLE[role]]
    expect(landing(contract.roles, groups)).toBe(lands)
    expect(dashboardEntries(contract, groups).map(({ label }) => label)).toEqual([
      ...dashboard,
      'My activities',
    ])
    expect(sideEntries(contract, groups).map(({ label }) => label)).toEqual(side)
  })
  test('the table has all nine roles', () => {
    expect(table.map(([role]) => role).sort()).toEqual(Object.keys(ROLE).sort())
  })
  test('several roles see the union of their menus and land by the first', () => {
    const groups = [ROLE.HubManager, ROLE.AdvocateManager]
    expect(landing(contract.roles, groups)).toBe('/dashboard/allocations-required')
    expect(dashboardEntries(contract, groups).map(({ label }) => label)).toContain('My Hub Staff')
  })
  test('a user without a role lands on a page that says so', async () => {
    const { address } = await openApp('/dashboard', [])
    expect(await screen.findByText(MESSAGES.noRole)).toBeTruthy()
    expect(address()).toBe('/profile')
  })
  test('the menu has Draft Cases only if there are drafts', async () => {
    await openApp('/dashboard', ADVOCATE)
    const menu = await screen.findByRole('navigation', { name: 'Dashboard' })
    await waitFor(() => expect(fakeServer.requestsTo('GET /api/drafts')).toHaveLength(1))
    expect(within(menu).queryByText('Draft Cases')).toBeNull()
    cleanup()
    await openApp('/dashboard', ADVOCATE, { 'GET /api/drafts': page([{ id: 1 }]) })
    expect(await screen.findByRole('link', { name: /^Draft Cases\s*1 draft$/ })).toBeTruthy()
  })
  test('New Action opens the panel beside the page, which stays', async () => {
    // Loaded first, because a slow machine takes long to compile it.
    await import('../../src/engine/kinds/form/SidePanelForm.tsx')
    onTestFinished(() => act(closeSidePanel))
    const { user, address } = await openApp('/profile', ADVOCATE, {
      'GET /api/actions/most_used': () => new Promise(() => undefined),
    })
    await user.click(await screen.findByRole('link', { name: 'New Action' }))
    expect(await screen.findByRole('dialog', { name: 'Log action' })).toBeTruthy()
    expect(address()).toBe('/profile')
  })
  test('the menu says how many issues My Cases has, as its title does', async () => {
    await openApp('/dashboard', ADVOCATE, {
      'GET /api/staff/me/new_work/notification': {
        data: { issues: 0, referrals: 0, uploads: 0, tasks: 0, deaths: 0, open: 12 },
      },
    })
    expect(await screen.findByRole('link', { name: /^My Cases\s*12 issues$/ })).toBeTruthy()
  })
})

describe('an address', () => {
  test.each([
    ['/', undefined, '/login'],
    ['/case', undefined, '/login'],
    ['/nowhere', undefined, '/login'],
    ['/login', ADVOCATE, '/dashboard/my-cases'],
    ['/thanks', ADVOCATE, '/dashboard/my-cases'],
    ['/', ADVOCATE, '/dashboard/my-cases'],
    ['/dashboard/management', ADVOCATE, '/dashboard/my-cases'],
    ['/case', [5], '/case'],
    ['/dashboard/my-cases', [5], '/reports/commissioner'],
    ['/clients/5', ADVOCATE, '/clients/5/info'],
    ['/cases/5?x=1', ADVOCATE, '/cases/5/details?x=1'],
    ['/cases/5/issues/6', ADVOCATE, '/cases/5/issues/6/details'],
  ])('%s for %s leads to %s', async (at, groups, to) => {
    const { address } = await openApp(at, groups, {
      'GET /client/5/index/': { status: 404 },
      'GET /case/5/': { status: 404 },
      'GET /issue/6/': { status: 404 },
      'GET /api/reports/figures': page([]),
    })
    await waitFor(() => expect(address()).toBe(to))
  })
  test("that does not exist shows 'Page not found'", async () => {
    await openApp('/nowhere', ADVOCATE)
    expect(await screen.findByRole('heading', { name: 'Page not found' })).toBeTruthy()
    expect(document.title).toBe('Page not found – Advocacy casework')
  })
  test('of every screen has a route', () => {
    const paths = JSON.stringify(routesOf(contract), (key, value) => (key === 'element' ? undefined : value))
    for (const { route } of Object.values(contract.screens))
      expect(paths).toContain(`"${route.replaceAll(/\{(\w+)\}/g, ':$1')}`)
  })
})

describe('the page', () => {
  test('starts with a skip link', async () => {
    const { user } = await openApp('/nowhere', ADVOCATE)
    await screen.findByRole('heading', { name: 'Page not found' })
    await user.tab()
    expect(document.activeElement?.textContent).toBe('Skip to main content')
    await user.keyboard('{Enter}')
    expect(document.activeElement).toBe(screen.getByRole('main'))
  })
  test('moves the focus to its heading after navigation', async () => {
    const { user } = await openApp('/dashboard/my-cases', ADVOCATE, { 'GET /api/staff/old-cases': page([]) })
    await screen.findByRole('heading', { level: 1, name: 'My Cases' })
    expect(document.activeElement).toBe(document.body)
    await user.click(screen.getByRole('link', { name: 'Old Cases' }))
    const heading = await screen.findByRole('heading', { level: 1, name: 'Old Cases' })
    await waitFor(() => expect(document.activeElement).toBe(heading))
    expect(
      within(screen.getByRole('navigation', { name: 'Breadcrumbs' })).getByText('Old Cases'),
    ).toBeTruthy()
  })
  test('of a staff member links back to the list that the user may open', async () => {
    const lists = {
      SystemAdministrator: 'Management',
      AdvocateManager: 'My Advocates',
      HubManager: 'My Hub Staff',
    }
    for (const [role, label] of Object.entries(lists)) {
      await openApp('/advocate/5/history', [ROLE[role]], {
        'GET /api/staff/5': { data: { id: 5, name: 'Lee Low', status: 1 } },
        'GET /api/staff/5/history': page([]),
      })
      const way = within(await screen.findByRole('navigation', { name: 'Breadcrumbs' }))
      await way.findByText('Lee Low')
      expect([role, ...way.getAllByRole('listitem').map((one) => one.textContent)]).toEqual([
        role,
        'Dashboard',
        label,
        'Lee Low',
      ])
      cleanup()
    }
  })
  test('warns before the session ends, and extends it by a ping', async () => {
    const { user } = await openApp('/nowhere', ADVOCATE)
    await screen.findByRole('heading', { name: 'Page not found' })
    const wake = (ago: number) => {
      localStorage.setItem('lastResponse', String(Date.now() - INACTIVITY_MS + ago))
      act(() => void dispatchEvent(new Event('focus')))
    }
    wake(WARNING + 5000)
    expect(screen.queryByRole('alertdialog')).toBeNull()
    wake(70_000)
    const dialog = await screen.findByRole('alertdialog', { name: 'You are about to be signed out' })
    expect(within(dialog).getByText(/in 1 minute 15 seconds\.$/)).toBeTruthy()
    const before = fakeServer.requestsTo('GET /api/ping/').length
    await user.click(within(dialog).getByRole('button', { name: 'Stay signed in' }))
    await waitFor(() => expect(screen.queryByRole('alertdialog')).toBeNull())
    expect(fakeServer.requestsTo('GET /api/ping/').length).toBe(before + 1)
    wake(0)
    expect(await screen.findByText(MESSAGES.expired, { exact: false })).toBeTruthy()
  })
})

test('the texts of the specification are unchanged', () => {
  expect(MESSAGES).toMatchObject({
    warning: 'Warning',
    denied: 'Access is denied',
    serverError: 'Something wend wrong',
    tooLarge: 'Uploaded file is too large',
    signOut: 'Are you sure you want to sign out?',
    losesCase: 'You will lost all case changes.',
    searching: 'Searching...',
    noNotifications: 'You have no Notifications.',
  })
})

describe('the shell', () => {
  test('stays where something beside the page fails', async () => {
    vi.spyOn(console, 'error').mockImplementation(() => undefined)
    await openApp('/profile', ADVOCATE)
    await screen.findByRole('button', { name: 'Log Out' })
    act(() => openSidePanel('a screen that is not there'))
    expect(await screen.findByText('The form could not be shown')).toBeTruthy()
    expect(screen.getByRole('button', { name: 'Log Out', hidden: true })).toBeTruthy()
    act(closeSidePanel)
  })
})
