import { useEffect, useState } from 'react'
import { allows } from '../../contract/access.ts'
import { NOTIFICATION_INTERVAL_MS } from '../../contract/limits.ts'
import { useRead } from '../../engine/core/calls.ts'
import { useContract } from '../../engine/core/contract.ts'
import { useUser } from '../../engine/core/user.ts'
import { COUNTING, type CountingCall, KINDS, type NotificationCounts } from './notificationKinds.ts'
import { lowerSeenCounts, type Seen, seenBy, storeSeen, unread } from './seenNotices.ts'

export interface Line {
  id: string
  words: string
  link: string
  /** Undefined if the user's roles do not allow the screen. */
  to?: string
}
export interface Notifications {
  /** Totals of what waits. */
  lines: Line[]
  /** Number of notices of work that were neither opened nor dismissed. */
  news: number
  /** By how much the totals have risen since the bell was last opened. */
  risen: number
  /** Number of records that wait for something to be done, seen or not. */
  waiting: number
  isLoading: boolean
  isError: boolean
  /** Marks the totals as seen, which leaves them in the panel. */
  see: () => void
}

/**
 * The notifications for the user's roles, refetched every hour and after a change of the counted records; notices of
 * work are also refetched when the event stream has an event for them.
 */
export function useNotifications(): Notifications {
  const contract = useContract()
  const { id: user, groups } = useUser()
  const [seen, setSeen] = useState(() => seenBy(user))
  const reads = [
    useCounts(COUNTING.work),
    useCounts(COUNTING.allocations),
    useCounts(COUNTING.left),
    useCounts(COUNTING.old),
    useCounts(COUNTING.referrals),
    useCounts(COUNTING.invalid),
  ]
  const counted = reads.flatMap((read) => read.counted ?? [])
  const current: Seen = {
    issues: counted.flatMap(({ issues = [] }) => issues),
    counts: Object.assign({}, ...counted.map(({ counts }) => counts)),
  }
  const known = lowerSeenCounts(seen, current)
  const text = JSON.stringify(known)
  useEffect(() => {
    const next = JSON.parse(text)
    storeSeen(user, next)
    setSeen(next)
  }, [user, text])

  const pageOf = (name: string) => {
    const screen = contract.screens[name]
    return screen && allows(contract.roles, screen.roles, groups) ? screen.route : undefined
  }
  return {
    lines: Object.entries(KINDS)
      .filter(([id]) => current.counts[id] > 0)
      .map(([id, { words, screen, link }]) => ({
        id,
        words: words(current.counts[id]),
        link,
        to: pageOf(screen),
      })),
    news: counted.reduce((sum, { news = 0 }) => sum + news, 0),
    risen: unread(known, current),
    waiting: Object.keys(KINDS).reduce((sum, id) => sum + (current.counts[id] ?? 0), 0),
    isLoading: reads.some(({ isLoading }) => isLoading),
    isError: reads.some(({ isError }) => isError),
    see: () => setSeen({ issues: current.issues, counts: { ...known.counts, ...current.counts } }),
  }
}

/** Counts of pending work by the names of the dashboard's screens. */
export function useWaitingCounts(): Record<string, number> {
  const { counted: work } = useCounts(COUNTING.work)
  const reads = [
    useCounts(COUNTING.allocations),
    useCounts(COUNTING.left),
    useCounts(COUNTING.referrals),
    useCounts(COUNTING.invalid),
  ]
  const counts = reads.flatMap(({ counted }) => Object.entries(counted?.counts ?? {}))
  const waiting = Object.fromEntries(counts.map(([id, count]) => [KINDS[id].screen, count]))
  return { 'my-cases': work?.open ?? 0, ...waiting }
}

/** Reads the counts of a call, if the user's roles allow it. */
function useCounts({ call, query, read }: CountingCall) {
  const { roles, endpoints } = useContract()
  const may = allows(roles, endpoints[call].roles, useUser().groups)
  const { data, isLoading, isError } = useRead<never>(
    may ? call : undefined,
    { query },
    { refetchInterval: NOTIFICATION_INTERVAL_MS },
  )
  const counted: NotificationCounts | undefined = data === undefined ? undefined : read(data)
  return { counted, isLoading, isError }
}
