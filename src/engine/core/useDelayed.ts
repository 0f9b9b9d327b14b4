import { useEffect, useRef, useState } from 'react'

const DELAY_MS = 200
const MIN_DURATION_MS = 300

/** True while a loading state should be visible: after a delay, for at least MIN_DURATION_MS, to avoid flicker. */
export function useDelayed(busy: boolean, delayMs = DELAY_MS): boolean {
  const [isVisible, setVisible] = useState(false)
  const since = useRef(0)
  useEffect(() => {
    if (busy === isVisible) return
    const wait = busy ? delayMs : Math.max(0, since.current + MIN_DURATION_MS - Date.now())
    const timer = setTimeout(() => {
      since.current = Date.now()
      setVisible(busy)
    }, wait)
    return () => clearTimeout(timer)
  }, [busy, isVisible, delayMs])
  return isVisible
}
