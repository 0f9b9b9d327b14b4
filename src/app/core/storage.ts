import { TOKEN_KEY } from '../../contract/limits.ts'
import { browserStorage } from '../../engine/core/browserStorage.ts'

/** Keys of the shell in localStorage. The first two are specified; times are in milliseconds. */
export const KEYS = {
  token: TOKEN_KEY,
  csrf: 'csrfmiddlewaretoken',
  lastResponse: 'lastResponse',
  lastPing: 'lastPing',
  ended: 'ended',
  openedIssues: 'openedIssues',
  seenCounts: 'seenCounts',
  foldedNav: 'foldedNav',
  recent: 'recent',
} as const
type Key = keyof typeof KEYS

/** The value of a key, or null; `of` is a user id for values of one user. */
export function stored(key: Key, of?: number): string | null {
  return browserStorage.get(nameOf(key, of))
}

/** Stores a text, or removes the key if it is null. Other tabs get a `storage` event. */
export function store(key: Key, value: string | null, of?: number): void {
  browserStorage.set(nameOf(key, of), value)
}

function nameOf(key: Key, of?: number): string {
  return of === undefined ? KEYS[key] : `${KEYS[key]}.${of}`
}

/** A stored time in milliseconds since 1970; 0 if there is none. */
export function storedTime(key: Key): number {
  return Number(stored(key)) || 0
}
