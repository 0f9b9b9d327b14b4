// @vitest-environment jsdom
import { act, screen, waitFor, within } from '@testing-library/react'
import { describe, expect, test, vi } from 'vitest'
import { lowerSeenCounts, unread } from '../../src/app/header/seenNotices.ts'
import { countOf, serve } from './appFake.ts'
import { ADVOCATE, COMMON, NONE, open, ROLE, startFresh } from './appOpen.tsx'

startFresh()

const old = (count: number) => ({
  'GET /api/staff/old-cases': {
    data: { data: [], pagination: { p: 1, page_size: 1, count, num_pages: count } },
  },
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
  test('tells a manager what waits, in the words of the specification, and leads there', async () => {
    const { user, address } = await open('/dashboard/allocations-required', [ROLE.HubManager], {
      ...old(1),
      ...invalid(5, 6),
      ...referrals(3, 4),
      'GET /api/validation/issues': NONE,
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

  test('says so where nothing waits', async () => {
    const { user } = await open('/profile', ADVOCATE, old(0))
    await user.click(await bell())
    expect(await within(await panel()).findByText('You have no Notifications.')).toBeTruthy()
  })

  test('asks nobody for what their roles do not see', async () => {
    await open('/profile', ADVOCATE, old(2))
    await bell(2)
    expect(countOf('GET /api/validation/notification') + countOf('GET /api/referral/notification')).toBe(0)
  })

  test('says that it could not ask, not that nothing waits', async () => {
    const { user } = await open('/profile', [ROLE.SystemAdministrator], {
      'GET /api/validation/notification': { status: 500, data: {} },
      ...referrals(0, 0),
    })
    await user.click(await bell())
    expect(await within(await panel()).findByText('What waits for you could not be loaded.')).toBeTruthy()
  })

  test('once opened it is read, also after the page is loaded anew, until something comes', async () => {
    const managing = [ROLE.AdvocateManager]
    const { user } = await open('/profile', managing, { ...old(2), ...invalid(5) })
    await user.click(await bell(3))
    await panel()
    await waitFor(() => expect(localStorage.getItem('openedIssues.7')).toBe('[5]'))
    document.body.replaceChildren()
    await open('/profile', managing, { ...old(2), ...invalid(5, 9) })
    await bell(1)
  })

  test('asks again every hour', async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true })
    try {
      await open('/profile', ADVOCATE, old(1))
      await bell(1)
      serve({ ...COMMON, ...old(4) })
      const minutes = async (count: number) => {
        for (let i = 0; i < count; i++) {
          // Somebody is there, or the session would end.
          localStorage.setItem('lastResponse', String(Date.now()))
          await act(() => vi.advanceTimersByTimeAsync(60_000))
        }
      }
      await minutes(59)
      expect(countOf('GET /api/staff/old-cases')).toBe(0)
      await minutes(2)
      expect(countOf('GET /api/staff/old-cases')).toBe(1)
      await bell(4)
    } finally {
      vi.useRealTimers()
    }
  })
})

describe('what is unread', () => {
  const seen = (counts: Record<string, number>, ...issues: number[]) => ({ counts, issues })
  test.each([
    ['all of it to whoever saw nothing', seen({}), seen({ old: 3 }, 8, 9), 5],
    ['what a count rose by', seen({ old: 3 }), seen({ old: 5 }), 2],
    ['nothing where a count fell', seen({ old: 3 }), seen({ old: 1 }), 0],
    ['an issue for another one', seen({}, 1, 2), seen({}, 2, 3), 1],
    ['nothing while it is not known', seen({ old: 3 }, 1), seen({}), 0],
  ])('%s', (_, before, now, count) => expect(unread(before, now)).toBe(count))

  test('is what rises again after it fell', () => {
    const fallen = lowerSeenCounts(seen({ old: 5, requests: 1 }), seen({ old: 2 }))
    expect(fallen.counts).toEqual({ old: 2, requests: 1 })
    expect(unread(fallen, seen({ old: 3 }))).toBe(1)
  })
})
