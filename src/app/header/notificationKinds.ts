import { MESSAGES } from '../core/messages.ts'

/** Counts by kind from one call, and the ids of issues of invalid cases. */
export interface NotificationCounts {
  issues?: number[]
  counts: Record<string, number>
  /** Number of issues in My Cases, which the bell does not show. */
  open?: number
}
/** A call that counts pending work of the user. */
export interface CountingCall {
  call: string
  query?: Record<string, unknown>
  read: (reply: never) => NotificationCounts
}
/** A kind of notification: its text, and the screen that it links to. */
interface Kind {
  words: (count: number) => string
  screen: string
  /** Query string of the screen's address. */
  query?: string
  link: string
}

interface Counted {
  pagination: { count: number }
}
interface Referrals {
  new_requests: number
  new_messages: number
}
interface NewWork {
  issues: number
  referrals: number
  uploads: number
  tasks: number
  deaths: number
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
    read: ({ issues, referrals, uploads, tasks, deaths, open }: NewWork) => ({
      open,
      counts: { deaths, assigned: issues, tasks, decisions: referrals, uploads },
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

/** In the order of the panel. */
export const KINDS: Record<string, Kind> = {
  deaths: { words: MESSAGES.deaths, screen: 'new-work', query: 'kind=client', link: 'View clients' },
  assigned: { words: MESSAGES.newIssues, screen: 'new-work', query: 'kind=issue', link: 'View issues' },
  tasks: { words: MESSAGES.newTasks, screen: 'new-work', query: 'kind=task', link: 'View tasks' },
  decisions: {
    words: MESSAGES.newDecisions,
    screen: 'new-work',
    query: 'kind=referral',
    link: 'View answers',
  },
  uploads: {
    words: MESSAGES.finishedUploads,
    screen: 'new-work',
    query: 'kind=upload',
    link: 'View uploads',
  },
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
