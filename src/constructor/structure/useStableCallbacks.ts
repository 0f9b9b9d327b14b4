import { useRef } from 'react'

type Functions = Record<string, (...args: never[]) => unknown>

/** The same functions for ever, each doing what the newest of its name does: what is given them is not drawn for them. */
export function useStableCallbacks<T extends Functions>(now: T): T {
  const latest = useRef(now)
  latest.current = now
  const stable = useRef<T>(undefined)
  stable.current ??= Object.fromEntries(
    Object.keys(now).map((name) => [name, (...args: never[]) => latest.current[name](...args)]),
  ) as T
  return stable.current
}
