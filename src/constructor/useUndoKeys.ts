import { type RefObject, useEffect } from 'react'

const FIELDS = 'input, textarea, select, [contenteditable]'

/** Ctrl+Z undoes, Ctrl+Shift+Z and Ctrl+Y redo; not in fields of other parts, nor in those that hold their own text. */
export function useUndoKeys(root: RefObject<HTMLElement | null>, undo: () => void, redo: () => void): void {
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      const key = event.key.toLowerCase()
      if (!(event.ctrlKey || event.metaKey) || event.altKey || (key !== 'z' && key !== 'y')) return
      const field = event.target instanceof Element ? event.target.closest(FIELDS) : null
      if (field && (!root.current?.contains(field) || field.closest('[data-own-text]'))) return
      event.preventDefault()
      if (key === 'z' && !event.shiftKey) undo()
      else redo()
    }
    document.addEventListener('keydown', press)
    return () => document.removeEventListener('keydown', press)
  }, [root, undo, redo])
}
