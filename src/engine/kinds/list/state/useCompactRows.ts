import { useSyncExternalStore } from 'react'
import { browserStorage } from '../../../core/browserStorage.ts'

const SETTING = 'rows.compact'
const listeners = new Set<() => void>()

/** True if rows of lists are compact, a setting of this browser for all lists, and the function to change it. */
export function useCompactRows(): [boolean, (compact: boolean) => void] {
  const compact = useSyncExternalStore(subscribe, () => browserStorage.get(SETTING) === 'on')
  return [compact, setCompact]
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

function setCompact(compact: boolean): void {
  browserStorage.set(SETTING, compact ? 'on' : null)
  for (const listener of listeners) listener()
}
