import { act, screen, waitFor, within } from '@testing-library/react'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import { lowerSeenCounts, unread } from '../../src/app/header/seenNotices.ts'
import { fakeServer, page } from './fakeServer.ts'
import { ADVOCATE, openApp, ROLE, startSignedOut } from './openApp.tsx'

beforeEach(startSignedOut)

const old = (count: number) => ({
  'GET /api/staff/old-cases': page([], { page_size: 1, count, num_pages: count }),
})
const invalid = (...ids: number[]) => ({
  'GET /api/validation/notification': {
    data: { invalid_cases: ids.length, issues: ids.map((id) => ({ issue_id: id, case_id: id + 100 })) },
  },
})
const referrals = (new_requests: number, new_messages: number) => ({
  'GET /api/referral/notification': { data: { new_requests, new_messages } },
})
const bell = (unread?: number) =>
  screen.findByRole('button', { name: unread ? `Notifications, ${unread} unread` : 'Notifications' })
const panel = () => screen.findByRole('dialog', { name: 'Notifications' })

describe('the bell', () => {
  test('lists a manager’s notifications in the words of the specification, with links', async () => {
    const { user, address } = await openApp('/dashboard/allocations-required', [ROLE.HubManager], {
      ...old(1),
      ...invalid(5, 6),
      ...referrals(3, 4),
      'GET /api/validation/issues': page([]),
      'GET /staff_lookup/': { data: [] },
    })
    await user.click(await bell(10))
    const inside = within(await panel())
    for (const words of [
      'You have 1 old cases',
      'You got 3 new referral requests',
      'You got 4 new referral messages',
      'You have 2 invalid cases',
    ])
      expect(inside.getByText(words)).toBeTruthy()
    expect(inside.getByRole('link', { name: 'View cases' }).getAttribute('href')).toBe('/dashboard/old-cases')
    await user.click(inside.getByRole('link', { name: 'View invalid cases' }))
    expect(address()).toBe('/dashboard/invalid-cases')
    await waitFor(() => expect(screen.queryByRole('dialog', { name: 'Notifications' })).toBeNull())
  })

  describe('with notices', () => {
    const notice = (id: number, more: object = {}) => ({
      id,
      kind: 'issue',
      sentence: `Morgan Ellery assigned you Esther Abiodun-Williams ${id}`,
      page: `/cases/1/issues/${id}/details`,
      urgent: false,
      created_at: '2026-06-04T09:30:00Z',
      ...more,
    })
    const news = (...notices: { id: number }[]) => ({
      ...old(2),
      'GET /api/staff/me/new_work/notification': {
        data: {
          issues: notices.length,
          referrals: 0,
          uploads: 0,
          tasks: 0,
          deaths: 0,
          automations: 0,
          open: 40,
        },
      },
      'GET /api/staff/me/new_work': page(notices),
      'POST /api/staff/me/new_work/{id}/read': { data: {} },
      'POST /api/staff/me/new_work/read': { data: {} },
    })

    test('says in a line who did what to whom and when, apart from the totals', async () => {
      const hidden = {
        sentence: 'Open safeguarding concern: issue 9. Ask Jo Field',
        page: null,
        urgent: true,
      }
      const { user } = await openApp('/profile', ADVOCATE, news(notice(1), notice(2, hidden)))
      await user.click(await bell(4))
      const inside = within(await panel())
      const list = within(await inside.findByRole('list', { name: 'What happened' }))
      const line = await list.findByRole('link', { name: /^Morgan Ellery assigned you Esther/ })
      expect(line.getAttribute('href')).toBe('/cases/1/issues/1/details')
      expect(list.getAllByText('4 June 2026, 10:30')).toHaveLength(2)
      expect(list.getByText('Open safeguarding concern: issue 9. Ask Jo Field').closest('a')).toBeNull()
      expect(list.queryByText('You have 2 old cases')).toBeNull()
      expect(inside.getByText('You have 2 old cases')).toBeTruthy()
    })

    test('clears nothing when it is opened, and a line when that is dismissed or followed', async () => {
      const { user, address } = await openApp('/profile', ADVOCATE, news(notice(1), notice(2), notice(3)))
      await user.click(await bell(5))
      const inside = within(await panel())
      const dismiss = await inside.findByRole('button', { name: /^Dismiss: .* 2$/ })
      await waitFor(() =>
        expect(screen.getByRole('button', { name: 'Notifications, 3 unread', hidden: true })).toBeTruthy(),
      )
      expect(fakeServer.requestsTo('POST /api/staff/me/new_work/read')).toEqual([])
      fakeServer.use(news(notice(1), notice(3)))
      await user.click(dismiss)
      await waitFor(() => expect(inside.queryByRole('button', { name: /^Dismiss: .* 2$/ })).toBeNull())
      await waitFor(() =>
        expect(document.activeElement?.getAttribute('aria-label')).toMatch(/^Dismiss: .* 3$/),
      )
      fakeServer.use({ ...news(notice(3)), 'GET /issue/1/': { status: 404, data: {} } })
      await user.click(inside.getByRole('link', { name: / 1$/ }))
      expect(address()).toBe('/cases/1/issues/1/details')
      await waitFor(() => expect(fakeServer.requestsTo('POST /api/staff/me/new_work/1/read')).toHaveLength(1))
    })

    test('offers to see and dismiss what is new once it is known', async () => {
      const { user } = await openApp('/profile', ADVOCATE, {
        ...news(notice(1)),
        'GET /api/staff/me/new_work': () => new Promise(() => undefined),
      })
      await user.click(await bell(3))
      const inside = within(await panel())
      await inside.findByText('Loading what is new…')
      expect(inside.queryByText(/new to you/)).toBeNull()
      expect(inside.queryByRole('button', { name: 'Dismiss all' })).toBeNull()
    })

    test('is empty once all is dismissed, with the focus on Close', async () => {
      const { user } = await openApp('/profile', ADVOCATE, { ...news(notice(1), notice(2)), ...old(0) })
      await user.click(await bell(2))
      const inside = within(await panel())
      fakeServer.use({ ...news(), ...old(0) })
      await user.click(await inside.findByRole('button', { name: 'Dismiss all' }))
      await inside.findByText('You have no Notifications.')
      expect(fakeServer.requestsTo('POST /api/staff/me/new_work/read')).toHaveLength(1)
      await waitFor(() => expect(document.activeElement).toBe(inside.getByRole('button', { name: 'Close' })))
      await bell()
    })
  })

  test('shows that there are no notifications', async () => {
    const { user } = await openApp('/profile', ADVOCATE, old(0))
    await user.click(await bell())
    expect(await within(await panel()).findByText('You have no Notifications.')).toBeTruthy()
  })

  test('does not request what the user’s roles may not see', async () => {
    await openApp('/profile', ADVOCATE, old(2))
    await bell(2)
    expect(fakeServer.requestsTo('GET /api/validation/notification')).toEqual([])
    expect(fakeServer.requestsTo('GET /api/referral/notification')).toEqual([])
  })

  test('says so if a call failed, beside what could be loaded', async () => {
    const { user } = await openApp('/profile', [ROLE.SystemAdministrator], {
      'GET /api/validation/notification': { status: 500, data: {} },
      ...referrals(2, 0),
    })
    await user.click(await bell())
    const opened = within(await panel())
    expect(await opened.findByText('Not everything that waits for you could be loaded.')).toBeTruthy()
    expect(await opened.findByText('You got 2 new referral requests')).toBeTruthy()
  })

  test('counts as read once opened, also after a reload, until something new comes', async () => {
    const managing = [ROLE.AdvocateManager]
    const { user } = await openApp('/profile', managing, { ...old(2), ...invalid(5) })
    await user.click(await bell(3))
    await panel()
    await waitFor(() => expect(localStorage.getItem('openedIssues.7')).toBe('[5]'))
    // Nothing was done about it yet.
    expect(screen.getByRole('button', { name: 'Notifications, 3 waiting', hidden: true })).toBeTruthy()
    document.body.replaceChildren()
    await openApp('/profile', managing, { ...old(2), ...invalid(5, 9) })
    await bell(1)
  })

  test('refetches every hour', async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true })
    try {
      await openApp('/profile', ADVOCATE, old(1))
      await bell(1)
      fakeServer.use(old(4))
      const minutes = async (count: number) => {
        for (let i = 0; i < count; i++) {
          // A recent response, or the session would end.
          localStorage.setItem('lastResponse', String(Date.now()))
          await act(() => vi.advanceTimersByTimeAsync(60_000))
        }
      }
      const before = fakeServer.requestsTo('GET /api/staff/old-cases').length
      await minutes(59)
      expect(fakeServer.requestsTo('GET /api/staff/old-cases')).toHaveLength(before)
      await minutes(2)
      expect(fakeServer.requestsTo('GET /api/staff/old-cases')).toHaveLength(before + 1)
      await bell(4)
    } finally {
      vi.useRealTimers()
    }
  })
})

describe('unread counts', () => {
  const seen = (counts: Record<string, number>, ...issues: number[]) => ({ counts, issues })
  test.each([
    ['everything if nothing was seen', seen({}), seen({ old: 3 }, 8, 9), 5],
    ['the rise of a count', seen({ old: 3 }), seen({ old: 5 }), 2],
    ['nothing if a count fell', seen({ old: 3 }), seen({ old: 1 }), 0],
    ['a new issue', seen({}, 1, 2), seen({}, 2, 3), 1],
    ['nothing while the counts load', seen({ old: 3 }, 1), seen({}), 0],
  ])('%s', (_, before, now, count) => expect(unread(before, now)).toBe(count))

  test('include a rise after a fall', () => {
    const fallen = lowerSeenCounts(seen({ old: 5, requests: 1 }), seen({ old: 2 }))
    expect(fallen.counts).toEqual({ old: 2, requests: 1 })
    expect(unread(fallen, seen({ old: 3 }))).toBe(1)
  })
})
