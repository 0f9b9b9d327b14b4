import { Classes } from '@blueprintjs/core'
import { useEffect, useRef } from 'react'

/** Calls a function when a key is pressed anywhere on the page while no dialog is open; undefined: the key does nothing. */
export function useShortcut(key: string, run: (() => void) | undefined): void {
  const latest = useRef(run)
  latest.current = run
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.key !== key || event.ctrlKey || event.altKey || event.metaKey || event.shiftKey) return
      if (!latest.current || document.body.classList.contains(Classes.OVERLAY_OPEN)) return
      event.preventDefault()
      latest.current()
    }
    document.addEventListener('keydown', onKeyDown)
    return () => document.removeEventListener('keydown', onKeyDown)
  }, [key])
}
