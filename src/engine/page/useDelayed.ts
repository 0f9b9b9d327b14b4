import { useEffect, useRef, useState } from 'react'

const WAIT = 200
const STAY = 300

/** Whether to show that something takes time: only after 200 ms, and then for 300 ms at least, so nothing flickers. */
export function useDelayed(busy: boolean): boolean {
  const [isShowing, setShowing] = useState(false)
  const since = useRef(0)
  useEffect(() => {
    if (busy === isShowing) return
    const wait = busy ? WAIT : Math.max(0, since.current + STAY - Date.now())
    const timer = setTimeout(() => {
      since.current = Date.now()
      setShowing(busy)
    }, wait)
    return () => clearTimeout(timer)
  }, [busy, isShowing])
  return isShowing
}
