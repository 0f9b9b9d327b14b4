import { type RefObject, useEffect } from 'react'

const MARGIN = 70

/** Marks the part of a form with this id and scrolls its pane, never the page, to where it is seen. */
export function useMark(pane: RefObject<HTMLElement | null>, id: string | undefined, drawn: unknown): void {
  useEffect(() => {
    const found = id === undefined ? null : document.getElementById(id)
    const part = found?.closest('.field') ?? found
    if (!part || !pane.current?.contains(part)) return
    part.setAttribute('data-marked', '')
    const inside = part.getBoundingClientRect()
    const around = pane.current.getBoundingClientRect()
    if (inside.top < around.top || inside.bottom > around.bottom) {
      pane.current.scrollTop += inside.top - around.top - MARGIN
    }
    return () => part.removeAttribute('data-marked')
  }, [pane, id, drawn])
}
