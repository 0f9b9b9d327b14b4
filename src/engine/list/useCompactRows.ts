import { useSyncExternalStore } from 'react'

const SETTING = 'rows.compact'
const listeners = new Set<() => void>()

/** True if rows of lists are compact, a setting of this browser for all lists, and the function to change it. */
export function useCompactRows(): [boolean, (compact: boolean) => void] {
  const compact = useSyncExternalStore(subscribe, () => localStorage.getItem(SETTING) === 'on')
  return [compact, setCompact]
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

function setCompact(compact: boolean): void {
  if (compact) localStorage.setItem(SETTING, 'on')
  else localStorage.removeItem(SETTING)
  for (const listener of listeners) listener()
}
