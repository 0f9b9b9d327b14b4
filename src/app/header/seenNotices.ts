import { store, stored } from '../core/storage.ts'

/** The notifications that a user has seen: ids of issues, and counts by kind. */
export interface Seen {
  issues: number[]
  counts: Record<string, number>
}

/** The notifications that a user has seen in this browser, stored by user id because people may share it. */
export function seenBy(user: number): Seen {
  return { issues: parsed('openedIssues', user, []), counts: parsed('seenCounts', user, {}) }
}

export function storeSeen(user: number, { issues, counts }: Seen): void {
  store('openedIssues', JSON.stringify(issues), user)
  store('seenCounts', JSON.stringify(counts), user)
}

/** Number of unseen notifications: new issue ids instead of the count `invalid`, and the increase of other counts. */
export function unread(seen: Seen, now: Seen): number {
  const { invalid: _, ...counted } = now.counts
  const issues = now.issues.filter((id) => !seen.issues.includes(id)).length
  const risen = Object.entries(counted).map(([id, count]) => Math.max(0, count - (seen.counts[id] ?? 0)))
  return risen.reduce((sum, one) => sum + one, issues)
}

/** Lowers the seen counts to the current ones, so that a later increase counts as new. */
export function lowerSeenCounts(seen: Seen, { counts }: Seen): Seen {
  const lower = Object.entries(seen.counts).map(([id, count]) => [id, Math.min(count, counts[id] ?? count)])
  return { ...seen, counts: Object.fromEntries(lower) }
}

function parsed<T extends object>(key: 'openedIssues' | 'seenCounts', user: number, otherwise: T): T {
  try {
    const value = JSON.parse(stored(key, user) ?? 'null')
    return Array.isArray(value) === Array.isArray(otherwise) ? (value ?? otherwise) : otherwise
  } catch {
    return otherwise
  }
}
