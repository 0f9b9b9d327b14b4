import { Classes } from '@blueprintjs/core'
import { useEffect, useRef } from 'react'

/** Ctrl+Enter, or Command+Enter, saves from anywhere on the page while no dialog is open. */
export function useSaveKeys(save: (() => void) | undefined): void {
  const now = useRef(save)
  now.current = save
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return
      if (!now.current || document.body.classList.contains(Classes.OVERLAY_OPEN)) return
      event.preventDefault()
      now.current()
    }
    document.addEventListener('keydown', press)
    return () => document.removeEventListener('keydown', press)
  }, [])
}
