import { MESSAGES } from '../core/messages.ts'

/** Counts by kind from one call, the ids of issues of invalid cases, and how many notices of work are unread. */
export interface NotificationCounts {
  issues?: number[]
  counts: Record<string, number>
  news?: number
  /** Number of issues in My Cases, which the bell does not show. */
  open?: number
}
/** A call that counts pending work of the user. */
export interface CountingCall {
  call: string
  query?: Record<string, unknown>
  read: (reply: never) => NotificationCounts
}
/** A total of what waits: its text, and the screen that it links to. */
interface Kind {
  words: (count: number) => string
  screen: string
  link: string
}

interface Counted {
  pagination: { count: number }
}
interface Referrals {
  new_requests: number
  new_messages: number
}
/** Numbers of unread notices by kind, and of the issues in My Cases. */
interface NewWork extends Record<string, number> {
  open: number
}
interface Invalid {
  invalid_cases: number
  issues: { issue_id: number }[]
}

export const COUNTING = {
  old: {
    call: 'reports.oldCases',
    query: { page_size: 1 },
    read: ({ pagination: { count } }: Counted) => ({ counts: { old: count } }),
  },
  allocations: {
    call: 'reports.allocations',
    query: { page_size: 1 },
    read: ({ pagination: { count } }: Counted) => ({ counts: { allocations: count } }),
  },
  left: {
    call: 'staff.leftWork',
    query: { page_size: 1 },
    read: ({ pagination: { count } }: Counted) => ({ counts: { left: count } }),
  },
  referrals: {
    call: 'referrals.notification',
    read: ({ new_requests, new_messages }: Referrals) => ({
      counts: { requests: new_requests, messages: new_messages },
    }),
  },
  work: {
    call: 'workNotices.counts',
    read: ({ open, ...kinds }: NewWork) => ({
      open,
      news: Object.values(kinds).reduce((sum, count) => sum + count, 0),
      counts: {},
    }),
  },
  invalid: {
    call: 'validation.notification',
    read: ({ invalid_cases, issues }: Invalid) => ({
      issues: issues.map(({ issue_id }) => issue_id),
      counts: { invalid: invalid_cases },
    }),
  },
} satisfies Record<string, CountingCall>

/** Totals in the order of the panel. */
export const KINDS: Record<string, Kind> = {
  allocations: {
    words: MESSAGES.allocations,
    screen: 'allocations-required',
    link: 'View issues to allocate',
  },
  left: { words: MESSAGES.leftWork, screen: 'left-work', link: 'View what is left' },
  old: { words: MESSAGES.oldCases, screen: 'old-cases', link: 'View cases' },
  requests: { words: MESSAGES.newRequests, screen: 'referral-requests', link: 'View requests' },
  messages: { words: MESSAGES.newMessages, screen: 'referral-messages', link: 'View messages' },
  invalid: { words: MESSAGES.invalidCases, screen: 'invalid-cases', link: 'View invalid cases' },
}
