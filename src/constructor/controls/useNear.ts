import { type RefCallback, useCallback, useState } from 'react'
import type { Group } from '../../contract/generated.ts'
import { countFields } from '../../contract/meta/formLimits.ts'

/** Number of fields above which a form is rendered in parts, each once it is near the visible area. */
const LARGE = 300

/** Most fields in one part. */
const PART = 20

/** Distance from the visible area within which a part is rendered, so that scrolling finds it there. */
const MARGIN = '600px 0px'

type OnNear = (isNear: boolean, height: number) => void

const listeners = new WeakMap<Element, OnNear>()
let observer: IntersectionObserver | undefined

/** True for a form of so many fields that only what is near the visible area is rendered. */
export function isLarge(groups: Group[]): boolean {
  return countFields({ fields: groups.flatMap(({ fields }) => fields) }) > LARGE
}

/** Splits a list into parts that are rendered together; a list without items is one part. */
export function partsOf<T>(items: T[]): T[][] {
  const starts = Array.from({ length: Math.max(1, Math.ceil(items.length / PART)) }, (_, i) => i * PART)
  return starts.map((start) => items.slice(start, start + PART))
}

/**
 * Whether the element with this ref is near the visible area, and the height to reserve while it is not rendered: its
 * last one, at first `guess`. An element that has once had the focus stays near, because it may have typed text that is
 * stored nowhere yet.
 */
export function useNear(guess: number): { ref: RefCallback<Element>; isNear: boolean; height: number } {
  const [state, setState] = useState({ isNear: !('IntersectionObserver' in window), height: guess })
  const ref = useCallback((element: Element | null) => {
    if (!element || !('IntersectionObserver' in window)) return
    listeners.set(element, (isNear, height) =>
      setState((before) => (before.isNear === isNear ? before : { isNear, height })),
    )
    const near = nearObserver()
    const keep = () => {
      near.unobserve(element)
      renderNow(element)
    }
    near.observe(element)
    element.addEventListener('focusin', keep)
    return () => {
      near.unobserve(element)
      element.removeEventListener('focusin', keep)
      listeners.delete(element)
    }
  }, [])
  return { ref, ...state }
}

/** Renders the part in an element that is not near yet. */
export function renderNow(element: Element): void {
  listeners.get(element)?.(true, element.getBoundingClientRect().height)
}

/** One observer for all parts. Its root is the page, because below 640 px the panes are in the flow of the page. */
function nearObserver(): IntersectionObserver {
  const options: IntersectionObserverInit & { scrollMargin: string } = {
    rootMargin: MARGIN,
    scrollMargin: MARGIN,
  }
  observer ??= new IntersectionObserver((entries) => {
    for (const { target, isIntersecting, boundingClientRect } of entries)
      listeners.get(target)?.(isIntersecting, boundingClientRect.height)
  }, options)
  return observer
}
