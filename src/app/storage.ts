import { TOKEN_KEY } from '../contract/limits.ts'

/** What the shell keeps in the browser's localStorage: the first two by their specified keys, times in milliseconds. */
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

// A browser that forbids storage still works, for as long as the page lives.
const memory = new Map<string, string>()

/** What is stored under a key, of one person where `of` names them; null when nothing is. */
export function stored(key: Key, of?: number): string | null {
  const name = nameOf(key, of)
  try {
    return localStorage.getItem(name)
  } catch {
    return memory.get(name) ?? null
  }
}

/** Stores a text, or removes what was stored where it is null. Other tabs hear it as a `storage` event. */
export function store(key: Key, value: string | null, of?: number): void {
  const name = nameOf(key, of)
  try {
    if (value === null) localStorage.removeItem(name)
    else localStorage.setItem(name, value)
  } catch {
    if (value === null) memory.delete(name)
    else memory.set(name, value)
  }
}

function nameOf(key: Key, of?: number): string {
  return of === undefined ? KEYS[key] : `${KEYS[key]}.${of}`
}

/** A stored moment in milliseconds since 1970; 0 when there is none. */
export function storedTime(key: Key): number {
  return Number(stored(key)) || 0
}
