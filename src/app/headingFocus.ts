import { useEffect, useRef } from 'react'

/** Moves the focus to the page's heading after the address has changed, so that screen readers say where one is. */
export function useHeadingFocus(pathname: string): void {
  const before = useRef(pathname)
  // The address where somebody acted since the page was drawn: that of the next page may come long before it is drawn.
  const actedAt = useRef<string>(undefined)
  useEffect(() => {
    const onAct = () => {
      actedAt.current = location.pathname
    }
    for (const name of ACTS) addEventListener(name, onAct, true)
    return () => {
      for (const name of ACTS) removeEventListener(name, onAct, true)
    }
  }, [])
  useEffect(() => {
    if (before.current === pathname) return
    before.current = pathname
    const isInterrupted = actedAt.current === pathname
    actedAt.current = undefined
    return isInterrupted ? undefined : focusHeading()
  }, [pathname])
}

const ACTS = ['keydown', 'pointerdown'] as const

function focusHeading(): () => void {
  const main = document.getElementById('main')
  if (!main) return () => {}
  // A page that is read first has no heading yet; a person who does something meanwhile is not interrupted.
  const observer = new MutationObserver(() => focusIfReady())
  const stop = () => {
    observer.disconnect()
    for (const name of ACTS) removeEventListener(name, stop, true)
    removeEventListener('focusin', stopAtFocus, true)
  }
  // Speech and switch control focus a field with no key and no pointer.
  const stopAtFocus = ({ target }: FocusEvent) => {
    if (target !== main && target !== document.body) stop()
  }
  const focusIfReady = () => {
    const heading = main.querySelector('h1')
    if (!heading && !isInUse(main)) return
    stop()
    if (isInUse(main) || !heading) return
    heading.tabIndex = -1
    heading.focus({ preventScroll: true })
    scrollTo(0, 0)
  }
  for (const name of ACTS) addEventListener(name, stop, true)
  addEventListener('focusin', stopAtFocus, true)
  observer.observe(main, { childList: true, subtree: true })
  focusIfReady()
  return stop
}

/** Whether the focus is on something in the page that has stayed, such as the tab that was just chosen. */
function isInUse(main: HTMLElement): boolean {
  const at = document.activeElement
  return at !== null && at !== main && main.contains(at)
}
