import { type RefObject, useEffect } from 'react'
import { forPage } from '../../engine/keys.ts'

/** `/` and Ctrl+K lead to a box from everywhere on the page. */
export function useSearchKeys(input: RefObject<HTMLInputElement | null>): void {
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      const isControlK = (event.ctrlKey || event.metaKey) && !event.altKey && event.key.toLowerCase() === 'k'
      if (!isControlK && !(event.key === '/' && forPage(event))) return
      event.preventDefault()
      input.current?.focus()
      input.current?.select()
    }
    addEventListener('keydown', press)
    return () => removeEventListener('keydown', press)
  }, [input])
}
