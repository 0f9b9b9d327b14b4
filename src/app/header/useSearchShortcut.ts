import { type RefObject, useEffect } from 'react'
import { isPageShortcut } from '../../engine/runtime/shortcuts.ts'

/** `/` and Ctrl+K lead to a box from everywhere on the page. */
export function useSearchShortcut(input: RefObject<HTMLInputElement | null>): void {
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      const isControlK = (event.ctrlKey || event.metaKey) && !event.altKey && event.key.toLowerCase() === 'k'
      if (!isControlK && !(event.key === '/' && isPageShortcut(event))) return
      event.preventDefault()
      input.current?.focus()
      input.current?.select()
    }
    addEventListener('keydown', onKeyDown)
    return () => removeEventListener('keydown', onKeyDown)
  }, [input])
}
