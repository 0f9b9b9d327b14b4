/** What the shell keeps in the browser's localStorage: the first two by their specified keys, times in milliseconds. */
export const KEYS = {
  token: 'token',
  csrf: 'csrfmiddlewaretoken',
  lastResponse: 'lastResponse',
  lastPing: 'lastPing',
  ended: 'ended',
} as const
type Key = keyof typeof KEYS

// A browser that forbids storage still works, for as long as the page lives.
const memory = new Map<Key, string>()

/** What is stored under a key; null when nothing is. */
export function stored(key: Key): string | null {
  try {
    return localStorage.getItem(KEYS[key])
  } catch {
    return memory.get(key) ?? null
  }
}

/** Stores a text, or removes what was stored where it is null. Other tabs hear it as a `storage` event. */
export function store(key: Key, value: string | null): void {
  try {
    if (value === null) localStorage.removeItem(KEYS[key])
    else localStorage.setItem(KEYS[key], value)
  } catch {
    if (value === null) memory.delete(key)
    else memory.set(key, value)
  }
}

/** A stored moment in milliseconds since 1970; 0 when there is none. */
export function storedTime(key: Key): number {
  return Number(stored(key)) || 0
}
