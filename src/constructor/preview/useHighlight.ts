import { type RefObject, useEffect } from 'react'

const MARGIN = 20

/** Marks the part of a form with this id and scrolls its pane, never the page, to right below what stands on top there. */
export function useHighlight(
  pane: RefObject<HTMLElement | null>,
  id: string | undefined,
  dependency: unknown,
): void {
  useEffect(() => {
    const found = id === undefined ? null : document.getElementById(id)
    const part = found?.closest('.field') ?? found
    if (!part || !pane.current?.contains(part)) return
    part.setAttribute('data-marked', '')
    const inside = part.getBoundingClientRect()
    const top = pane.current.firstElementChild!.getBoundingClientRect().bottom + MARGIN
    if (inside.top < top || inside.bottom > pane.current.getBoundingClientRect().bottom) {
      pane.current.scrollTop += inside.top - top
    }
    return () => part.removeAttribute('data-marked')
  }, [pane, id, dependency])
}
