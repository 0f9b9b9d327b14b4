import { store, stored } from '../storage.ts'

/** What somebody was told last: ids of issues, and how many there were of what is only counted. */
export interface Seen {
  issues: number[]
  counts: Record<string, number>
}

/** What a person was told by the bell of this browser, which others may use too. */
export function seenBy(user: number): Seen {
  return { issues: parsed('openedIssues', user, []), counts: parsed('seenCounts', user, {}) }
}

/** Remembers what a person was told. */
export function remember(user: number, { issues, counts }: Seen): void {
  store('openedIssues', JSON.stringify(issues), user)
  store('seenCounts', JSON.stringify(counts), user)
}

/** How much of `now` is new to whoever saw `seen`: issues (counted as invalid) by their ids, else what a count rose by. */
export function unread(seen: Seen, now: Seen): number {
  const { invalid: _, ...counted } = now.counts
  const issues = now.issues.filter((id) => !seen.issues.includes(id)).length
  const risen = Object.entries(counted).map(([id, count]) => Math.max(0, count - (seen.counts[id] ?? 0)))
  return risen.reduce((sum, one) => sum + one, issues)
}

/** What has become less is new as soon as it rises from there. */
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
