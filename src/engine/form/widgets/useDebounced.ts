import { useEffect, useState } from 'react'

const DEBOUNCE = 300

/** A text once it has not changed for 300 ms; an empty one at once. */
export function useDebounced(text: string): string {
  const [debounced, setDebounced] = useState(text)
  useEffect(() => {
    const timer = setTimeout(() => setDebounced(text), text ? DEBOUNCE : 0)
    return () => clearTimeout(timer)
  }, [text])
  return text ? debounced : ''
}
