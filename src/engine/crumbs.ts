import { useSyncExternalStore } from 'react'
import type { Crumb } from '../contract/types.ts'

let current: Crumb[] = []
const listeners = new Set<() => void>()

/** Says where the page stands, from the outermost place to the page itself. */
export function setCrumbs(crumbs: Crumb[]): void {
  if (JSON.stringify(crumbs) === JSON.stringify(current)) return
  current = crumbs
  for (const listener of listeners) listener()
}

/** Where the page stands, for the shell to draw; the last one is the page itself. */
export function useCrumbs(): Crumb[] {
  return useSyncExternalStore(subscribe, () => current)
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
