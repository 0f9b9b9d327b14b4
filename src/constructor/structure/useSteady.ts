import { useRef } from 'react'

type Functions = Record<string, (...given: never[]) => unknown>

/** The same functions for ever, each doing what the newest of its name does: what is given them is not drawn for them. */
export function useSteady<T extends Functions>(now: T): T {
  const newest = useRef(now)
  newest.current = now
  const steady = useRef<T>(undefined)
  steady.current ??= Object.fromEntries(
    Object.keys(now).map((name) => [name, (...given: never[]) => newest.current[name](...given)]),
  ) as T
  return steady.current
}
