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

  test('counts work that was assigned to the person, with a link to each kind', async () => {
    const { user, address } = await openApp('/profile', ADVOCATE, {
      ...old(0),
      'GET /api/staff/me/new_work/notification': {
        data: { issues: 2, referrals: 1, uploads: 0, tasks: 0, deaths: 1, open: 40 },
      },
      'GET /api/staff/me/new_work': page([]),
    })
    await user.click(await bell(4))
    const inside = within(await panel())
    expect(inside.getByText('You got 2 new issues')).toBeTruthy()
    expect(inside.getByText('A client of yours has died')).toBeTruthy()
    expect(inside.getByRole('link', { name: 'View clients' }).getAttribute('href')).toMatch(/kind=client$/)
    expect(inside.getByText('A referral of yours was answered')).toBeTruthy()
    expect(inside.queryByText(/upload/)).toBeNull()
    await user.click(inside.getByRole('link', { name: 'View answers' }))
    expect(address()).toBe('/dashboard/new-work?kind=referral')
    await waitFor(() =>
      expect(fakeServer.requestsTo('GET /api/staff/me/new_work').at(-1)?.query).toMatchObject({
        kind: 'referral',
        seen: 'Unread',
      }),
    )
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
