import { useSyncExternalStore } from 'react'

let isShown = false
const listeners = new Set<() => void>()

/** True if forms say which questions their conditions hide: only on request, until the page is loaded again. */
export function useUnaskedShown(): boolean {
  return useSyncExternalStore(subscribe, () => isShown)
}

export function showUnasked(shown: boolean): void {
  isShown = shown
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
