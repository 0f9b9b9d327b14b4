import { Classes } from '@blueprintjs/core'
import { useEffect, useRef } from 'react'

/** Ctrl+Enter, or Command+Enter, saves from anywhere on the page while no dialog is open. */
export function useSaveShortcut(save: (() => void) | undefined): void {
  const latestSave = useRef(save)
  latestSave.current = save
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return
      if (!latestSave.current || document.body.classList.contains(Classes.OVERLAY_OPEN)) return
      event.preventDefault()
      latestSave.current()
    }
    document.addEventListener('keydown', onKeyDown)
    return () => document.removeEventListener('keydown', onKeyDown)
  }, [])
}
