import { type RefObject, useLayoutEffect, useRef } from 'react'

const CONTROLS = 'select, input, button'

/**
 * Moves the focus after the next render: to the first control of the first of these places (`data-condition`) that
 * exists. If none does, it stays.
 */
export function useNextFocus<E extends HTMLElement>(): {
  box: RefObject<E | null>
  focusNext: (places: string[]) => void
} {
  const box = useRef<E>(null)
  const next = useRef<string[]>([])
  useLayoutEffect(() => {
    const places = next.current
    next.current = []
    for (const place of places) {
      const control = box.current
        ?.querySelector(`[data-condition="${place}"]`)
        ?.querySelector<HTMLElement>(CONTROLS)
      if (control) return control.focus()
    }
  })
  return {
    box,
    focusNext: (places) => {
      next.current = places
    },
  }
}
