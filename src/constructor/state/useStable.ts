import { useRef } from 'react'

type Functions = Record<string, (...args: never[]) => unknown>

/** Stable callbacks that always call the latest functions, so that memoised children do not render again. */
export function useStableCallbacks<T extends Functions>(now: T): T {
  const latest = useRef(now)
  latest.current = now
  const stable = useRef<T>(undefined)
  stable.current ??= Object.fromEntries(
    Object.keys(now).map((name) => [name, (...args: never[]) => latest.current[name](...args)]),
  ) as T
  return stable.current
}

/** Returns the same array as long as it has the same items. */
export function useStableList<T>(now: T[]): T[] {
  const before = useRef(now)
  const isSame = before.current.length === now.length && now.every((one, i) => one === before.current[i])
  if (!isSame) before.current = now
  return before.current
}
